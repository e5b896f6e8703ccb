/** The page: keeps the draft, sends it once, and follows what becomes of it. */
import { Fields } from "./fields.js";
import { save, state } from "./store.js";

/** What the agent's worker gets as `request_type`. */
const REQUEST_TYPE = "form";

/** Where each event leads to. Later servers may send others: they are left out. */
const STATES = {
  message_enqueued: "queued",
  message_requeued: "queued",
  message_processing_started: "processing",
  message_succeeded: "succeeded",
  message_failed: "failed",
  message_cancelled: "cancelled",
};

const WORDS = {
  queued: "Queued: the agent will get to it",
  processing: "The agent is working on it",
  succeeded: "Done",
  failed: "Failed: the agent could not do it",
  cancelled: "Cancelled",
  unknown: "Not known: some events were missed",
};

/** A request goes through three steps; this many are behind it. */
const STEPS = { queued: 1, processing: 2, succeeded: 3, failed: 3, cancelled: 3 };

const at = (id) => document.getElementById(id);
const fields = new Fields(at("form"));
let busy = false;

/** Keeps what is written, while it is written. */
function keepDraft() {
  state.draft = fields.values;
  at("draft").textContent = "Draft kept";
  save();
}

async function send(event) {
  event.preventDefault();
  if (busy) return;
  const wrong = fields.checkAll();
  if (wrong !== undefined) return wrong.focus();
  const payload = payloadOf(fields.values);
  const body = JSON.stringify(payload);
  // One key for one request, however often it is tried: if the answer got lost, the next try finds
  // the request that is there already. Another request takes another key.
  if (state.attempt?.body !== body) state.attempt = { key: newKey(), body };
  save();
  setBusy(true);
  try {
    const { key } = state.attempt;
    const receipt = await Holon.request(REQUEST_TYPE, payload, key, { idempotencyKey: key });
    accept(receipt.message_id);
  } catch (error) {
    at("problem").textContent = sentenceOf(error);
  } finally {
    setBusy(false);
  }
}

/** What was tried is on disk: its draft has done its work. */
function accept(messageId, now = "queued") {
  if (state.attempt === null) return;
  const { body } = state.attempt;
  state.sent.unshift({ messageId, title: JSON.parse(body).title, state: now });
  state.attempt = null;
  // What was written meanwhile is another request.
  if (JSON.stringify(payloadOf(fields.values)) === body) {
    state.draft = null;
    fields.clear();
    at("draft").textContent = "Sent";
    at("problem").textContent = "";
  }
  save();
  renderSent();
}

/** What the agent's worker gets as `payload`. */
function payloadOf({ title, kind, details, due }) {
  return { title: title.trim(), kind, details: details.trim(), due: due || null };
}

function clearForm() {
  state.draft = state.attempt = null;
  fields.clear();
  at("draft").textContent = at("problem").textContent = "";
  at("title").focus();
  save();
}

/** The button stays enabled: a disabled one would lose the focus. */
function setBusy(now) {
  busy = now;
  at("form").setAttribute("aria-busy", busy);
  at("send").textContent = busy ? "Sending…" : "Send";
  if (busy) at("problem").textContent = "";
}

/** @param error a HolonError: `code` is for programs, `message` and `hint` are for people */
function sentenceOf({ code, message, hint, retryAfter }) {
  if (code === "unreachable") return "Holon can’t be reached. Your draft is kept: try again later.";
  if (code === "auth_required") {
    return "You are signed out. Your draft is kept: load the page anew.";
  }
  const wait = retryAfter === undefined ? "" : `Try again in ${retryAfter} s.`;
  return [message.replace(/\.?$/, "."), hint, wait].filter(Boolean).join(" ");
}

function renderSent() {
  at("empty").hidden = state.sent.length > 0;
  at("sent").replaceChildren(...state.sent.map(({ title, state }) => {
    const item = document.createElement("li");
    const name = document.createElement("strong");
    const words = document.createElement("span");
    const steps = document.createElement("progress");
    item.dataset.state = state;
    name.textContent = title;
    words.textContent = WORDS[state];
    steps.max = 3;
    steps.value = STEPS[state] ?? 0;
    steps.setAttribute("aria-label", `Progress of ${title}`);
    item.append(name, words, steps);
    return item;
  }));
}

/** Follows from where the page was when it was loaded before. */
async function follow() {
  for await (const { event } of Holon.events({ lastEventId: state.last, onGap, onState })) {
    state.last = event.sequence;
    const next = STATES[event.type];
    const item = state.sent.find(({ messageId }) => messageId === event.message_id);
    if (item !== undefined && next !== undefined) item.state = next;
    // Faster than the receipt, or that got lost: the event says that what was tried is there.
    else if (event.request_id === state.attempt?.key) accept(event.message_id, next);
    save();
    renderSent();
  }
}

function onGap({ oldest }) {
  state.last = Math.max(0, oldest - 1);
  for (const item of state.sent) if (STEPS[item.state] < 3) item.state = "unknown";
  save();
  renderSent();
}

function onState(connection) {
  at("connection").textContent = connection === "live" ? "" : "Connection lost, trying again…";
}

function newKey() {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
}

at("form").addEventListener("input", keepDraft);
at("form").addEventListener("submit", send);
at("clear").addEventListener("click", clearForm);
if (state.draft !== null) {
  fields.values = state.draft;
  at("draft").textContent = "Your draft is back";
}
renderSent();

try {
  const { agent_id } = await Holon.context();
  at("who").textContent = `Goes to the agent ${agent_id}.`;
  await follow();
} catch (error) {
  // Lost connections are mended by the SDK: this one was refused.
  at("connection").textContent = sentenceOf(error);
}
