import { type ComponentChildren, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ApiDocument, ApiResponse, JsonSchema, Parameter } from "../../reference/types.ts";
import { type Endpoint, responseOf } from "./api.ts";
import { curlOf } from "./curl.ts";
import { prose } from "./prose.ts";
import { Shape, typeText, Words } from "./shape.ts";

/** One operation: a line that opens to all there is to know. */
export function EndpointDetails(
  { endpoint, document, isLinked }: {
    endpoint: Endpoint;
    document: ApiDocument;
    /** Whether the page's address names it. */
    isLinked: boolean;
  },
): ComponentChildren {
  const { id, method, path, operation } = endpoint;
  const element = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(isLinked);
  useEffect(() => {
    if (!isLinked) return;
    setOpen(true);
    element.current?.scrollIntoView();
  }, [isLinked]);
  const onToggle = () => {
    const opened = element.current?.open === true;
    setOpen(opened);
    // So that the address can be passed on; no entry of the history for each.
    if (opened) history.replaceState(null, "", `#${id}`);
  };
  return h("details", { class: "endpoint", id, ref: element, open: isOpen, onToggle }, [
    h("summary", null, [
      h("span", { class: `method ${method.toLowerCase()}` }, method),
      h("code", { class: "path" }, pathParts(path)),
      h("span", { class: "summary" }, operation.summary),
    ]),
    isOpen ? h(Content, { endpoint, document }) : null,
  ]);
}

function Content(
  { endpoint, document }: { endpoint: Endpoint; document: ApiDocument },
): ComponentChildren {
  const { parameters = [], requestBody, security } = endpoint.operation;
  const body = requestBody?.content["application/json"]?.schema;
  const scope = security.flatMap((way) => Object.values(way).flat())[0];
  return h("div", { class: "content" }, [
    h("p", { class: "scope" }, [
      scope === undefined
        ? "Anybody may ask."
        : ["Needs the scope ", h("code", null, scope), " where the server has a token."],
    ]),
    h(Curl, { text: curlOf(endpoint, document, location.origin) }),
    parameters.length === 0 ? null : h(Parameters, { parameters, document }),
    body === undefined ? null : h("section", null, [
      h("h3", null, "Body"),
      h(Shape, { schema: body, document }),
    ]),
    h(Answers, { endpoint, document }),
  ]);
}

function Parameters(
  { parameters, document }: { parameters: readonly Parameter[]; document: ApiDocument },
): ComponentChildren {
  return h("section", null, [
    h("h3", null, "Parameters"),
    h(
      "ul",
      { class: "shape" },
      parameters.map((parameter) =>
        h("li", { key: `${parameter.in} ${parameter.name}` }, [
          h("code", { class: "field" }, parameter.name),
          " ",
          h("span", { class: "type" }, `${parameter.in}, ${typeText(parameter.schema, document)}`),
          parameter.required ? null : h("span", { class: "words" }, " · optional"),
          h(Words, { schema: withDescription(parameter) }),
        ])
      ),
    ),
  ]);
}

function withDescription({ schema, description }: Parameter): JsonSchema {
  return description === undefined ? schema : { ...schema, description };
}

function Answers(
  { endpoint, document }: { endpoint: Endpoint; document: ApiDocument },
): ComponentChildren {
  const responses = Object.entries(endpoint.operation.responses).map(
    ([status, response]) => [status, responseOf(response, document)] as const,
  );
  const results = responses.filter(([, response]) => response["x-codes"] === undefined);
  const refusals = responses.filter(([, response]) => response["x-codes"] !== undefined);
  return h("section", null, [
    h("h3", null, "Answers"),
    ...results.map(([status, response]) => h(Result, { key: status, status, response, document })),
    h("h3", null, "Refusals"),
    h(
      "ul",
      { class: "refusals" },
      refusals.map(([status, response]) =>
        h("li", { key: status }, [
          h("span", { class: "status" }, status),
          " ",
          ...prose(response.description),
        ])
      ),
    ),
  ]);
}

function Result(
  { status, response, document }: {
    status: string;
    response: ApiResponse;
    document: ApiDocument;
  },
): ComponentChildren {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
  const data = media?.["x-event-data"];
  const schema = data ?? media?.schema;
  const headers = Object.keys(response.headers ?? {}).filter((name) => name !== "X-Request-Id");
  return h("div", { class: "result" }, [
    h("p", null, [
      h("span", { class: "status" }, status),
      " ",
      ...prose(response.description),
      type === undefined ? null : h("span", { class: "type" }, [
        " ",
        type === "*/*" ? "of the file's own type" : type,
      ]),
    ]),
    headers.length === 0 ? null : h("p", { class: "headers" }, [
      "Headers: ",
      ...headers.flatMap((name, index) => [index === 0 ? "" : ", ", h("code", null, name)]),
    ]),
    data === undefined ? null : h("p", { class: "headers" }, [
      ...prose("The data of each `holon_event`:"),
    ]),
    schema === undefined ? null : h(Shape, { schema, document }),
  ]);
}

/** How long "Copied" stays, in ms. */
const COPIED_MS = 2000;

function Curl({ text }: { text: string }): ComponentChildren {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return h("div", { class: "curl" }, [
    // It may scroll sideways, so the keyboard has to reach it.
    h("pre", { tabIndex: 0, role: "group", "aria-label": "Command line" }, h("code", null, text)),
    // Only where the page was loaded safely: from this machine, or by https.
    navigator.clipboard === undefined
      ? null
      : h("button", { type: "button", onClick: () => void copy() }, copied ? "Copied" : "Copy"),
    h("span", { class: "hidden", role: "status" }, copied ? "Copied" : ""),
  ]);
}

/** The path with its parameters set off. */
function pathParts(path: string): ComponentChildren[] {
  return path.split(/(\{[a-z_]+\})/).map((part) =>
    part.startsWith("{") ? h("span", { class: "parameter" }, part) : part
  );
}
