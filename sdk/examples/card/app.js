const at = (id) => document.getElementById(id);

/** What each event says to a person. Later servers may send others: they are left out. */
const words = {
  message_enqueued: "waiting",
  message_processing_started: "at work",
  message_requeued: "tried again",
  message_succeeded: "done",
  message_failed: "failed",
  message_cancelled: "cancelled",
};

/** The list's rows, by request id. */
const rows = new Map();

function addRow(requestId, task) {
  const row = document.createElement("li");
  const text = document.createElement("span");
  const state = document.createElement("strong");
  text.textContent = task;
  state.textContent = "sending";
  row.append(text, state);
  at("list").prepend(row);
  at("empty").hidden = true;
  rows.set(requestId, row);
}

function setState(requestId, state) {
  const row = rows.get(requestId);
  if (row === undefined || state === undefined) return;
  row.lastElementChild.textContent = state;
  row.classList.toggle("failed", state === "failed");
}

async function send(event) {
  event.preventDefault();
  const task = at("task").value.trim();
  if (task === "") return;
  const requestId = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  addRow(requestId, task);
  at("task").value = "";
  try {
    await Holon.request("task", { task }, requestId);
  } catch (error) {
    setState(requestId, "failed");
    at("status").textContent = error.message;
  }
}

async function start() {
  const { agent_id } = await Holon.context();
  at("status").textContent = `Goes to the agent ${agent_id}.`;
  at("send").disabled = false;
  for await (const { event } of Holon.events()) {
    setState(event.request_id, words[event.type]);
  }
}

at("form").addEventListener("submit", send);
start().catch((error) => at("status").textContent = error.message);
