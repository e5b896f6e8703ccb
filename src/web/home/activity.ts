import { type ComponentChildren, h } from "preact";
import type { RequestInfo } from "./api.ts";
import { FirstRequest } from "./lessons.ts";
import { absoluteTime, duration, relativeTime, STATUS_WORDS } from "./words.ts";

/** What the list shows. */
export interface ActivityProps {
  readonly requests: readonly RequestInfo[];
  /** Names of apps, by `agent/app`. */
  readonly names: ReadonlyMap<string, string>;
  readonly now: number;
}

/** Recent requests and what became of them, newest first. */
export function Activity({ requests, names, now }: ActivityProps): ComponentChildren {
  return h("aside", { class: "activity", "aria-labelledby": "activity" }, [
    h("h2", { id: "activity" }, "Recent requests"),
    requests.length === 0 ? h(FirstRequest, null) : h(
      "ol",
      { class: "requests" },
      requests.map((request) => h(RequestItem, { key: request.id, request, names, now })),
    ),
  ]);
}

function RequestItem(
  { request, names, now }: { request: RequestInfo } & Omit<ActivityProps, "requests">,
): ComponentChildren {
  return h("li", null, [
    h("details", null, [
      h("summary", null, [
        h("span", { class: `chip ${request.status}` }, STATUS_WORDS[request.status]),
        h("span", { class: "request-what" }, [
          h("strong", null, request.type ?? "message"),
          h("span", null, senderOf(request, names)),
          request.status === "failed" && request.result?.error
            ? h("span", { class: "request-problem" }, request.result.error)
            : null,
        ]),
        h("time", { dateTime: request.createdAt, title: absoluteTime(request.createdAt) }, [
          relativeTime(request.createdAt, now),
        ]),
      ]),
      h(RequestDetails, { request }),
    ]),
  ]);
}

function senderOf(request: RequestInfo, names: ReadonlyMap<string, string>): string {
  const app = /^app:(.*)$/.exec(request.origin)?.[1];
  if (app === undefined) return `${request.origin} → ${request.agentId}`;
  return `${names.get(`${request.agentId}/${app}`) ?? app} → ${request.agentId}`;
}

function RequestDetails({ request }: { request: RequestInfo }): ComponentChildren {
  const { result } = request;
  return h("div", { class: "request-details" }, [
    h("dl", null, [
      row("Sent", absoluteTime(request.createdAt)),
      request.startedAt === null ? null : row("Begun", absoluteTime(request.startedAt)),
      request.finishedAt === null ? null : row("Ended", absoluteTime(request.finishedAt)),
      duration(request) === null ? null : row("Took", duration(request)!),
      row("Tries", String(request.attempts)),
      result?.exitCode === null || result === null
        ? null
        : row("Exit code", String(result.exitCode)),
      row("Message", h("code", null, request.id)),
      request.requestId === null ? null : row("Request", h("code", null, request.requestId)),
    ]),
    output("Payload", request.payload ?? ""),
    output("Output", result?.stdout ?? ""),
    output("Errors", result?.stderr ?? ""),
  ]);
}

function row(name: string, value: ComponentChildren): ComponentChildren {
  return h("div", null, [h("dt", null, name), h("dd", null, value)]);
}

function output(name: string, text: string): ComponentChildren {
  if (text.trim() === "") return null;
  return h("figure", null, [
    h("figcaption", null, name),
    // Long output scrolls: the keyboard must reach it.
    h("pre", { tabIndex: 0, role: "region", "aria-label": name }, text),
  ]);
}
