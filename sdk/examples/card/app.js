/** The state that each event leads to. Later servers may send others: they are left out. */
const STATES = {
  message_enqueued: "waiting",
  message_processing_started: "at work",
  message_requeued: "waiting",
  message_succeeded: "done",
  message_failed: "failed",
  message_cancelled: "cancelled",
};

/** Older tasks are forgotten. */
const KEPT = 20;

// Apps share an origin, and so its storage: the path keeps them apart.
const KEY = `card of ${location.pathname}`;

const at = (id) => document.getElementById(id);

/**
 * What the page knows, kept for the tab: it is loaded anew when the agent changes one of its files.
 * Tasks are { id, text, state }, newest first; `last` is the number of the newest event seen.
 */
const known = { last: 0, tasks: [], ...read() };

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}

function changed() {
  known.tasks.length = Math.min(known.tasks.length, KEPT);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    // Storage is full or forbidden: the card works without a memory.
  }
  at("empty").hidden = known.tasks.length > 0;
  at("list").replaceChildren(...known.tasks.map(rowOf));
}

function rowOf({ text, state }) {
  const row = document.createElement("li");
  const name = document.createElement("span");
  const pill = document.createElement("strong");
  name.textContent = text;
  pill.textContent = state;
  pill.className = state.replace(" ", "-");
  row.append(name, pill);
  return row;
}

function setState(id, state) {
  const task = known.tasks.find((task) => task.id === id);
  if (task !== undefined && state !== undefined) task.state = state;
}

async function send(event) {
  event.preventDefault();
  const text = at("task").value.trim();
  if (text === "") return;
  const id = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  known.tasks.unshift({ id, text, state: "sending" });
  at("task").value = "";
  changed();
  try {
    await Holon.request("task", { task: text }, id);
  } catch (error) {
    setState(id, "not sent");
    at("task").value ||= text;
    at("status").textContent = error.message;
    changed();
  }
}

/** Where events were lost, nobody knows what became of the tasks under way. */
function onGap({ oldest }) {
  known.last = Math.max(0, oldest - 1);
  for (const task of known.tasks) {
    if (["waiting", "at work"].includes(task.state)) task.state = "not known";
  }
  changed();
}

async function start() {
  const { agent_id } = await Holon.context();
  at("status").textContent = `Goes to the agent ${agent_id}.`;
  at("send").disabled = false;
  for await (const { event } of Holon.events({ lastEventId: known.last, onGap })) {
    known.last = event.sequence;
    setState(event.request_id, STATES[event.type]);
    changed();
  }
}

at("form").addEventListener("submit", send);
at("task").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) at("form").requestSubmit();
});
changed();
start().catch((error) => at("status").textContent = error.message);
