import { type ComponentChildren, h } from "preact";

/** Shown in place of an agent's apps while it has none. */
export function FirstApp({ agentId }: { agentId: string }): ComponentChildren {
  const folder = `agents/${agentId}/apps/hello/`;
  const agent = agentId === "main" ? "" : ` --agent ${agentId}`;
  return h("div", { class: "lesson" }, [
    h("h3", null, "Drop in a first app"),
    h("ol", null, [
      h("li", null, [
        "An app is a folder with an ",
        h("code", null, "index.html"),
        ". Put it into Holon’s home, at ",
        h("code", null, folder),
        ".",
      ]),
      h("li", null, [
        "Or begin with a template: ",
        h("code", { class: "command" }, `holon apps new hello --template card${agent}`),
      ]),
    ]),
    h("p", null, "It shows up here within a few seconds. Nothing needs to be restarted."),
  ]);
}

/** A runner that answers: what it prints is the outcome. */
const WORKER = 'for await (const text of process.stdin) console.log("Got " + text);';

/** Shown while no program carries out an agent's requests. */
export function FirstRunner({ agentId }: { agentId: string }): ComponentChildren {
  return h("details", { class: "runner" }, [
    h("summary", null, "No runner yet: requests wait for a worker."),
    h("div", { class: "lesson quiet" }, [
      h("p", null, [
        "A runner is a program of yours. Holon starts it for each request, with the request as JSON on its standard input. Write it first, as ",
        h("code", null, `agents/${agentId}/worker.mjs`),
        " in Holon’s home, for example:",
        h("code", { class: "command" }, WORKER),
        "Then name it in ",
        h("code", null, `agents/${agentId}/agent.json`),
        "; what is waiting goes to it at once:",
        h("code", { class: "command" }, '{ "runner": { "command": ["node", "worker.mjs"] } }'),
      ]),
      h("p", null, [
        "It runs in the agent’s folder. Without one, a worker may claim requests over HTTP at ",
        h("code", null, `/api/agents/${agentId}/messages/claim`),
        ".",
      ]),
    ]),
  ]);
}

/** Shown while there is no agent. */
export function FirstAgent(): ComponentChildren {
  return h("div", { class: "lesson" }, [
    h("h2", null, "No agent yet"),
    h("p", null, [
      "An agent owns apps and carries out what they ask for. Make one with ",
      h("code", { class: "command" }, "holon agents create main"),
    ]),
  ]);
}

/** Shown while there is no request. */
export function FirstRequest(): ComponentChildren {
  return h("div", { class: "lesson quiet" }, [
    h("p", null, [
      "What apps ask of their agents shows up here, with what becomes of it. An app sends a request with ",
      h("code", { class: "command" }, 'Holon.request("ping")'),
    ]),
  ]);
}
