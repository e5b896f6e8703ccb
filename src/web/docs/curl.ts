/** A command that sends a request, to be pasted into a shell. */

import type { ApiDocument, JsonSchema } from "../../reference/types.ts";
import { type Endpoint, schemaOf } from "./api.ts";

/** What stands for a parameter until the reader puts something else there. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  agent: "main",
  app: "my-app",
  message: "MESSAGE",
  path: "index.html",
};

/** The command line of an endpoint; `origin` is where the reader found the server. */
export function curlOf(
  { method, path, operation }: Endpoint,
  document: ApiDocument,
  origin: string,
): string {
  const target = path.replace(/\{([a-z_]+)\}/g, (_, name) => PLACEHOLDERS[name] ?? name);
  const body = operation.requestBody?.content["application/json"]?.schema;
  const streams = Object.values(operation.responses).some((response) =>
    "content" in response && response.content?.["text/event-stream"] !== undefined
  );
  const parts = [
    `curl -sS${streams ? "N" : ""}${method === "GET" ? "" : ` -X ${method}`} ` +
    quote(origin + target),
  ];
  // An empty requirement says that a request needs no credential.
  const isOpen = operation.security.length === 0 ||
    operation.security.some((way) => Object.keys(way).length === 0);
  if (!isOpen) parts.push(`-H "Authorization: Bearer $HOLON_CONTROL_TOKEN"`);
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'");
    parts.push(`-d ${quote(JSON.stringify(exampleOf(body, document)))}`);
  }
  return parts.join(" \\\n  ");
}

/** For a POSIX shell: as it is where that is safe. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A value that a schema allows, as short as can be. */
function exampleOf(schema: JsonSchema, document: ApiDocument): unknown {
  const own = schemaOf(schema, document);
  const { examples, properties, required, type } = own;
  if (Array.isArray(examples)) return examples[0];
  if ("const" in own) return own["const"];
  if ("default" in own) return own["default"];
  if (Array.isArray(own["enum"])) return own["enum"][0];
  switch (Array.isArray(type) ? type[0] : type) {
    case "object": {
      const names = (required ?? []) as readonly string[];
      const fields = (properties ?? {}) as Readonly<Record<string, JsonSchema>>;
      return Object.fromEntries(
        names.map((name) => [name, exampleOf(fields[name] ?? {}, document)]),
      );
    }
    case "array":
      return [];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return own["minimum"] ?? 1;
    case "string":
      return "…";
    default:
      return null;
  }
}
