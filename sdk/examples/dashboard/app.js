/**
 * The page: asks the agent, follows what becomes of it, and shows it.
 *
 * It may be loaded anew at any moment (the agent changes a file, a phone wakes up). So all that it
 * knows is in `jobs`, which is kept for the tab, and the stream goes on after `jobs.last`.
 */
import { drawChart } from "./chart.js";
import { Jobs, requestIdOf } from "./jobs.js";

/** What one can ask for here: `type` is what the agent's worker gets as `request_type`. */
const ASKS = [
  { type: "check", label: "Check everything" },
  { type: "summary", label: "Write a summary" },
  { type: "tidy", label: "Tidy up" },
];

const CONNECTION = {
  connecting: "Connecting…",
  live: "Live",
  lost: "Connection lost, trying again…",
  refused: "Not connected",
};

const STATES = {
  waiting: "Waiting",
  working: "At work",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
  unknown: "Not known",
};

const SHOWN = 12;
const MINUTES = 30;

// Apps share an origin, and so its storage: the path keeps them apart.
const KEY = `dashboard of ${location.pathname}`;

const at = (id) => document.getElementById(id);
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const jobs = new Jobs(saved());
let due = 0;

function saved() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** Saves and shows what is new; once for events that come together. */
function changed() {
  due ||= setTimeout(() => {
    due = 0;
    try {
      sessionStorage.setItem(KEY, JSON.stringify(jobs));
    } catch {
      // Storage is full or forbidden: after a reload the server tells once more.
    }
    render();
  }, 30);
}

function render() {
  const now = Date.now();
  for (const [state, count] of Object.entries(jobs.counts())) at(state).textContent = count;
  const most = drawChart(at("chart"), jobs.minutes(MINUTES, now));
  at("most").textContent = `top: ${most} a minute`;
  const latest = jobs.latest(SHOWN);
  at("empty").hidden = latest.length > 0;
  at("list").hidden = latest.length === 0;
  at("rows").replaceChildren(...latest.map((job) => rowOf(job, now)));
}

function rowOf({ name, state, askedAt, startedAt, endedAt }, now) {
  const row = document.createElement("tr");
  const label = ASKS.find(({ type }) => type === name)?.label ?? name;
  const pill = document.createElement("span");
  pill.className = `pill ${state}`;
  pill.textContent = STATES[state];
  const until = state === "unknown" ? null : endedAt ?? now;
  row.append(
    cell("name", label),
    cell("", pill),
    cell("number wide", seconds(askedAt, startedAt ?? until)),
    cell("number", startedAt === null ? "" : seconds(startedAt, until)),
    cell("number wide", clock.format(askedAt)),
  );
  return row;
}

function cell(className, content) {
  const td = document.createElement("td");
  td.className = className;
  td.append(content);
  return td;
}

function seconds(from, to) {
  if (to === null) return "";
  const took = Math.max(0, to - from) / 1000;
  return took < 60 ? `${took.toFixed(took < 10 ? 1 : 0)} s` : `${Math.floor(took / 60)} min`;
}

function setConnection(state) {
  at("connection").dataset.state = state;
  at("connection").textContent = CONNECTION[state];
}

/** @param error a HolonError: `message` says what is wrong, `hint` what can be done about it */
function showProblem(error) {
  at("problem").textContent = [error.message, error.hint].filter(Boolean).join(". ");
  at("problem").hidden = false;
}

function showGap(gap) {
  const count = jobs.lose(gap);
  at("gap").hidden = count === 0;
  at("gap").textContent = `Some events were missed: what became of ${
    count === 1 ? "one request" : `${count} requests`
  } is not known.`;
  changed();
}

async function ask({ type }) {
  try {
    await Holon.request(type, null, requestIdOf(type));
    at("problem").hidden = true;
  } catch (error) {
    showProblem(error);
  }
}

for (const item of ASKS) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = item.label;
  button.addEventListener("click", () => ask(item));
  at("asks").append(button);
}

render();
// What is under way grows older.
setInterval(() => document.hidden || render(), 1000);

try {
  const { agent_id } = await Holon.context();
  at("who").textContent = `What ${agent_id} does for this app`;
  const events = Holon.events({ lastEventId: jobs.last, onGap: showGap, onState: setConnection });
  for await (const { event } of events) {
    jobs.apply(event);
    changed();
  }
} catch (error) {
  // Lost connections are mended by the SDK: this one was refused.
  setConnection("refused");
  showProblem(error);
}
