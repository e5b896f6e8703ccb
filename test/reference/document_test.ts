import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { FAULT_STATUS } from "../../src/fault.ts";
import { createHolon, type Holon } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import type { ApiDocument, Operation } from "../../src/reference/types.ts";
import { tempDirectory } from "../support/temp_home.ts";
import { openApiShape } from "./openapi_shape.ts";

const TOKEN = "a token that is long enough";

describe("the OpenAPI document", () => {
  const directory = tempDirectory();
  let holon: Holon;
  let document: ApiDocument;

  before(async () => {
    const home = realpathSync(directory.path);
    holon = await createHolon({ host: createHost(), home, token: TOKEN });
    document = await fetchDocument(holon, "localhost:1234");
  });
  after(async () => {
    await holon.close();
    directory.remove();
  });

  async function fetchDocument(from: Holon, host: string): Promise<ApiDocument> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await from.fetch(
      new Request(`http://${host}/api/openapi.json`, { headers }),
    );
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    return await response.json();
  }

  /** Every operation with its method and path. */
  function operations(): (Operation & { readonly name: string; readonly path: string })[] {
    return Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        ...operation,
        path,
        name: `${method.toUpperCase()} ${path}`,
      }))
    );
  }

  it("has the shape that OpenAPI 3.1 asks for", () => {
    const result = openApiShape.safeParse(document);
    assert.ok(result.success, JSON.stringify(result.error?.issues.slice(0, 5), null, 1));
  });

  it("has every route of the table, and no other", () => {
    const table = holon.routes.map(({ method, path }) =>
      `${method} ${path.replace(/:([a-z_]+)\+?/g, "{$1}")}`
    );
    assert.deepEqual(operations().map(({ name }) => name).sort(), table.sort());
    assert.ok(table.includes("GET /api/openapi.json"));
  });

  it("has links that lead somewhere, and nothing that no link leads to", () => {
    const text = JSON.stringify(document);
    const links = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, to]) => to!),
    );
    const { schemas, responses, headers } = document.components;
    const parts = Object.entries({ schemas, responses, headers }).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `${kind}/${name}`)
    );
    assert.deepEqual([...links].filter((link) => !parts.includes(link)), []);
    const unused = parts.filter((part) => !links.has(part));
    assert.deepEqual(unused, []);
    assert.equal(text.match(/"\$ref":"(?!#\/components\/)/g), null);
  });

  it("names operations, parameters, groups and scopes consistently", () => {
    const all = operations();
    assert.equal(new Set(all.map(({ operationId }) => operationId)).size, all.length);
    const groups = document.tags.map(({ name }) => name);
    for (const { name, path, parameters = [], tags, security } of all) {
      const inPath = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, parameter]) => parameter);
      const declared = parameters.filter((parameter) => parameter.in === "path");
      assert.deepEqual(declared.map((parameter) => parameter.name), inPath, name);
      assert.equal(new Set(parameters.map((it) => `${it.in} ${it.name}`)).size, parameters.length);
      assert.ok(groups.includes(tags[0] ?? ""), name);
      for (const way of security) {
        for (const [scheme, scopes] of Object.entries(way)) {
          assert.ok(Object.hasOwn(document.components.securitySchemes, scheme));
          assert.ok(scopes.every((scope) => ["app", "control", "read"].includes(scope)), name);
        }
      }
    }
  });

  it("says what JSON looks like, in both directions", () => {
    for (const { name, responses, requestBody } of operations()) {
      const json = Object.values(responses).flatMap((response) =>
        "content" in response ? [response.content?.["application/json"]?.schema] : []
      ).filter((schema) => schema !== undefined);
      for (const schema of json) assert.ok(Object.keys(schema).length > 0, name);
      const body = requestBody?.content["application/json"]?.schema;
      if (body !== undefined) assert.equal(body["type"], "object", name);
    }
  });

  it("has each machine code with a status of its own", () => {
    const { enum: codes } = (document.components.schemas["Error"]?.["properties"] as {
      code: { enum: string[] };
    }).code;
    assert.deepEqual(codes, Object.keys(FAULT_STATUS));
    for (const { name, responses } of operations()) {
      for (const status of ["400", "403", "421", "500", "503"]) {
        assert.ok(status in responses, `${name} ${status}`);
      }
    }
    for (const [name, response] of Object.entries(document.components.responses)) {
      for (const code of response["x-codes"] ?? []) {
        const status = FAULT_STATUS[code as keyof typeof FAULT_STATUS];
        const own = name.startsWith(`${status}.`);
        assert.ok(
          own || ["invalid_json", "request_body_rejected"].includes(code),
          `${name} ${code}`,
        );
      }
    }
  });

  it("tells whether a credential is needed, and the cookie of whoever asks", async () => {
    const { session } = document.components.securitySchemes;
    assert.ok(session?.type === "apiKey");
    assert.equal(session.name, "holon_session_1234");
    assert.deepEqual(document.paths["/sign-in"]?.get?.security, []);
    const agents = document.paths["/api/agents"]?.get?.security;
    assert.deepEqual(agents, [{ bearer: ["read"] }, { session: ["read"] }]);

    const other = tempDirectory();
    const open = await createHolon({
      host: createHost(),
      home: realpathSync(other.path),
      token: null,
    });
    const target = "/api/openapi.json";
    const response = await open.fetch(new Request(`http://localhost${target}`), {
      target,
      host: "localhost",
      transport: "unix",
      peer: null,
      local: null,
      ended: Promise.resolve("finished"),
    });
    const { paths } = await response.json() as ApiDocument;
    assert.deepEqual(paths["/api/agents"]?.get?.security[0], {});
    await open.close();
    other.remove();
  });
});
