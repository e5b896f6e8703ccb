import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkFile, MAX_LINES } from "../../scripts/layers/rules.ts";
import { scanSource } from "../../scripts/layers/source.ts";

function broken(path: string, text: string): readonly string[] {
  return checkFile(scanSource(path, text)).map(({ line, message }) => `${line}: ${message}`);
}

function assertBroken(path: string, text: string, pattern: RegExp): void {
  const messages = broken(path, text);
  assert.equal(messages.length, 1, `${path}: ${JSON.stringify(messages)}`);
  assert.match(messages[0] ?? "", pattern);
}

function assertSound(path: string, text: string): void {
  assert.deepEqual(broken(path, text), [], `${path}: ${text.slice(0, 200)}`);
}

describe("checkFile() on imports", () => {
  const use = (specifier: string) => `import { x } from "${specifier}";\nuse(x);\n`;
  const useType = (specifier: string) => `import type { X } from "${specifier}";\nuse<X>();\n`;

  it("lets capabilities use http, store, events and services", () => {
    assertSound("src/apps/routes.ts", use("../http/router.ts"));
    assertSound("src/apps/store_sqlite.ts", use("../store/transaction.ts"));
    assertSound("src/apps/service.ts", use("../events/append.ts"));
    assertSound("src/apps/service.ts", use("../agents/service.ts"));
    assertSound("src/apps/service.ts", use("./routes.ts"));
    assertSound("src/apps/service.ts", use("../fault.ts"));
  });

  it("keeps a capability from another's routes and store", () => {
    assertBroken("src/apps/routes.ts", use("../agents/routes.ts"), /^1: .*another's routes/);
    assertBroken("src/apps/service.ts", use("../agents/store_sqlite.ts"), /never its store/);
  });

  it("keeps http from capabilities and store from http", () => {
    assertBroken("src/http/guard.ts", use("../auth/service.ts"), /knows no capability/);
    assertBroken("src/http/guard.ts", useType("../store/types.ts"), /knows no capability/);
    assertBroken("src/store/open.ts", use("../http/errors.ts"), /knows no HTTP/);
    assertSound("src/http/guard.ts", useType("../host/types.ts"));
  });

  it("keeps commands from the database", () => {
    assertBroken("src/cli/apps.ts", use("../store/open.ts"), /over HTTP/);
    assertBroken("src/tui/view.ts", use("../agents/store_sqlite.ts"), /over HTTP/);
    assertBroken("src/cli/apps.ts", use("../agents/routes.ts"), /no routes/);
    assertSound("src/cli/serve.ts", use("../store/home_lock.ts"));
    assertSound("src/cli/serve.ts", use("../holon.ts"));
  });

  it("lets only the composition root wire", () => {
    assertSound("src/holon.ts", use("./agents/routes.ts"));
    assertBroken("src/holon.ts", use("./cli/serve.ts"), /no command/);
    assertBroken("src/apps/service.ts", use("../holon.ts"), /composition root/);
    assertBroken("src/fault.ts", use("./http/errors.ts"), /leaf/);
    assertBroken("src/apps/service.ts", use("../cli/serve.ts"), /nothing but mod.ts/);
  });

  it("gives sdk and web only types of src", () => {
    assertSound("sdk/holon.ts", useType("../src/events/types.ts"));
    assertSound("sdk/holon.ts", `import { type X } from "../src/events/types.ts";\nuse<X>();\n`);
    assertBroken("sdk/holon.ts", use("../src/fault.ts"), /but types/);
    assertBroken("src/web/page.ts", use("../agents/service.ts"), /but types/);
    assertBroken("src/apps/service.ts", use("../../sdk/holon.ts"), /SDK's sources/);
  });

  it("sees dynamic imports, re-exports and imports over several lines", () => {
    assertBroken("src/http/a.ts", `const a = await import("../auth/service.ts");`, /capability/);
    assertBroken("src/http/a.ts", `export { b } from "../auth/service.ts";\nf();`, /capability/);
    assertBroken("src/http/a.ts", `\nimport {\n  b,\n} from "../auth/x.ts";\nf();`, /^4: /);
    assertBroken("src/http/a.ts", `import "../auth/service.ts";\nf();`, /capability/);
  });

  it("keeps each package behind its seam", () => {
    assertSound("src/http/std.ts", use("deno-std/http/etag.js"));
    assertBroken("src/http/etag.ts", use("deno-std/http/etag.js"), /deno-std/);
    assertBroken("src/apps/routes.ts", use("itty-router"), /itty-router/);
    assertBroken("src/tui/a.ts", use("@optique/core"), /@optique/);
  });

  it("wants endings on relative imports", () => {
    assertBroken("src/http/a.ts", use("./b"), /its ending/);
  });
});

describe("checkFile() on runtime APIs", () => {
  it("refuses them outside host, store, cli and tui", () => {
    assertBroken("src/apps/a.ts", `import { stat } from "node:fs";\nstat();`, /node:fs/);
    assertBroken("src/apps/a.ts", `\nDeno.exit();`, /^2: "Deno"/);
    assertBroken("src/http/a.ts", `const b = Bun.file("x");`, /"Bun"/);
    assertBroken("src/holon.ts", `f(process.env["X"]);`, /"process"/);
    assertBroken("sdk/a.ts", `Buffer.from("x");`, /"Buffer"/);
    assertSound("src/host/deno.ts", `Deno.exit();`);
    assertSound("src/store/open.ts", `import { DatabaseSync } from "node:sqlite";\nf();`);
  });

  it("does not mind them in comments, strings, regular expressions and members", () => {
    assertSound("src/apps/a.ts", `// Deno.exit()\n/* Bun.file() */ f("Deno.x", 'process.y');`);
    assertSound("src/apps/a.ts", "f(`Deno.x ${1 + `Bun.y`.length} process.z`);");
    assertSound("src/apps/a.ts", `f(/Deno\\.x['"]/.test(text), a / b, "Bun.x");`);
    assertSound("src/apps/a.ts", `it.process.next(); my_process.x(); this.#process();`);
  });

  it("does not mind a parameter or constant called process", () => {
    assertSound("src/agents/a.ts", `const f = (lease, process) => process.pid;`);
    assertSound("src/agents/a.ts", `const process = await start();\nprocess.stop();`);
  });

  it("sees them in a template's expressions", () => {
    assertBroken("src/apps/a.ts", "f(`x ${{ a: Deno.x }.a} y`);", /"Deno"/);
  });
});

describe("checkFile() on exports, names and sizes", () => {
  it("wants named exports", () => {
    assertBroken("mod.ts", `export default { fetch };`, /named/);
    assertBroken("mod.ts", `export { fetch as default };`, /named/);
    assertBroken("src/apps/a.ts", `export * from "./b.ts";\nf();`, /named/);
    assertSound("mod.ts", `export { createHolon } from "./src/holon.ts";`);
  });

  it("finds barrels", () => {
    const text =
      `/** Doc. */\nimport { a } from "./a.ts";\nexport { a };\nexport { b } from "./b.ts";`;
    assertBroken("src/apps/all.ts", text, /only exports/);
    assertSound("src/apps/all.ts", `${text}\nexport const c = 1;`);
  });

  it("wants snake_case names that say something", () => {
    assertBroken("src/apps/appList.ts", "", /snake_case/);
    assertBroken("src/apps/app-list.ts", "", /snake_case/);
    assertBroken("src/apps/utils.ts", "", /not utils/);
    assertBroken("test/apps/test_helpers.ts", "", /helpers/);
    assertSound("src/http/deno_std.d.ts", "");
  });

  it("limits a file's lines, unless a script wrote it", () => {
    const long = "f();\n".repeat(MAX_LINES + 1);
    assertBroken("src/apps/a.ts", long, /501 lines/);
    assertSound("src/web/page.generated.ts", long);
    assertSound("src/web/page.ts", `// Generated by scripts/build_assets.ts\n${long}`);
    assertSound("src/apps/a.ts", "f();\n".repeat(MAX_LINES));
  });
});
