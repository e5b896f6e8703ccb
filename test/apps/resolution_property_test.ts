/**
 * Which file a path leads to, held against a plain model of a file system with links: links inside
 * and outside, dangling ones, loops, hidden targets, links in the middle (`design.md` decisions 3
 * and 4). Small trees are made on disk and asked for over the whole way: target, routes, source.
 */

import fc from "fast-check";
import assert from "node:assert/strict";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { folderSource } from "../../src/apps/folder_source.ts";
import { assetComponents } from "../../src/apps/asset_path.ts";
import { NO_SIDECARS } from "../../src/apps/sidecar_names.ts";
import { Fault } from "../../src/fault.ts";
import { createFiles } from "../../src/host/files.ts";
import type { HostFiles } from "../../src/host/types.ts";
import { type AppHandler, createAppHandler, outcomeOf } from "../support/app_handler.ts";
import { patientFiles } from "../support/patient_files.ts";
import { runtimeName } from "../support/runtime.ts";
import { quietTempDirectory } from "../support/temp_home.ts";
import { until } from "../support/until.ts";

const APP = "agents/main/apps/app";
/** Outside of the app; the second has the app's path as the beginning of its own. */
const OUTSIDE = ["outside/secret.txt", `${APP}2/secret.txt`, "outside/deep/secret.txt"];
const MAX_LINKS = 40;

// --- what is generated ---

/** An entry to make below the app's folder; one in the place of another, or below a file, is not. */
interface Entry {
  readonly path: readonly string[];
  readonly kind: "directory" | "file" | { readonly link: string };
}

const NAMES = ["a", "b", "c.txt", "d.js", ".h", "%2e%2e"] as const;
const name = fc.constantFrom(...NAMES);
const piece = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 3, arbitrary: fc.constant("..") },
  { weight: 1, arbitrary: fc.constant(".") },
);
const pieces = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
/** `{app}` and `{home}` stand for absolute paths. */
const target = fc.oneof(
  { weight: 5, arbitrary: pieces },
  { weight: 2, arbitrary: pieces.map((path) => `{app}/${path}`) },
  { weight: 1, arbitrary: pieces.map((path) => `../app/${path}`) },
  { weight: 1, arbitrary: pieces.map((path) => `../app2/${path}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...OUTSIDE.map((path) => `{home}/${path}`),
      "{home}/outside",
      "{home}/outside/missing",
      "{home}/outside/back",
      "{home}/outside/back/c.txt",
      "/",
      "/proc/self/nothing",
    ),
  },
);
const entry: fc.Arbitrary<Entry> = fc.record({
  path: fc.array(name, { minLength: 1, maxLength: 3 }),
  kind: fc.oneof(
    fc.constantFrom("directory" as const, "file" as const, "file" as const),
    target.map((link) => ({ link })),
    target.map((link) => ({ link })),
  ),
});
const tree = fc.array(entry, { minLength: 3, maxLength: 16 });
/** Components of a request, mostly such as are there. */
const asked = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<string>("a", "b", "c.txt", "d.js", "%2e%2e") },
    { weight: 1, arbitrary: fc.constantFrom(".h", "..", ".", "", "x\\y", "\n", "...", "C.TXT") },
  ),
  { minLength: 1, maxLength: 4 },
);

// --- the model ---

type Node = { readonly file: string } | { readonly link: string } | "directory";

/** What a request may come to: the text of a file, or one of some refusals. */
type Outcomes = readonly string[];

/** A file system as a table of absolute paths. */
class Model {
  readonly nodes = new Map<string, Node>();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  add(path: string, node: Node): void {
    this.nodes.set(path, node);
    for (let at = parentOf(path); at !== "/"; at = parentOf(at)) this.nodes.set(at, "directory");
    this.nodes.set("/", "directory");
  }

  /** Whether an entry can be made there: its parents are directories, or can be. */
  hasRoomFor(path: string): boolean {
    if (this.nodes.has(path)) return false;
    for (let at = parentOf(path); at !== "/"; at = parentOf(at)) {
      if ((this.nodes.get(at) ?? "directory") !== "directory") return false;
    }
    return true;
  }

  /** What the answer to a decoded path below the app's root may be. */
  answer(path: string): Outcomes {
    // deno-lint-ignore no-control-regex
    if (/[\\\u0000-\u001f\u007f]/.test(path)) return ["bad_request"];
    const names = path.split("/").filter((part) => part !== "" && part !== ".");
    if (names.some((part) => part.startsWith("."))) return ["forbidden"];
    return this.#walk(names);
  }

  /** As the kernel walks, and with an eye on where it comes by. */
  #walk(names: readonly string[]): Outcomes {
    const pending = [...names];
    let at = this.#root;
    let links = 0;
    let strayed = false;
    for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
      if (this.nodes.get(at) !== "directory") {
        return this.#broken(at, strayed || pending.some(leadsAway) || leadsAway(part));
      }
      const next = part === ".." ? parentOf(at) : join(at, part);
      const node = this.nodes.get(next);
      if (node === undefined) return this.#broken(next, strayed || pending.some(leadsAway));
      if (typeof node === "object" && "link" in node) {
        if (++links > MAX_LINKS) return this.#broken(at, strayed || pending.some(leadsAway));
        strayed ||= this.#isRefused(next);
        pending.unshift(...node.link.split("/"));
        if (node.link.startsWith("/")) at = "/";
        continue;
      }
      at = next;
      strayed ||= this.#isRefused(at);
    }
    if (this.#isRefused(at)) return ["forbidden"];
    const node = this.nodes.get(at);
    return typeof node === "object" && "file" in node ? [node.file] : ["not_found"];
  }

  /** Nothing is there. On the way it came by where it must not end: both refusals are right. */
  #broken(at: string, strayed: boolean): Outcomes {
    if (this.#isRefused(at)) return ["forbidden"];
    return strayed ? ["forbidden", "not_found"] : ["not_found"];
  }

  #isRefused(path: string): boolean {
    if (path !== this.#root && !path.startsWith(`${this.#root}/`)) return true;
    return path.slice(this.#root.length).split("/").some((part) => part.startsWith("."));
  }
}

function leadsAway(part: string): boolean {
  return part.startsWith(".");
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

// --- both, side by side ---

/** An app on disk and in the model. */
interface World {
  readonly handler: AppHandler;
  readonly root: string;
  readonly model: Model;
}

function makeWorld(entries: readonly Entry[], at?: string): World {
  const handler = createAppHandler(at);
  const { home } = handler;
  const root = join(home, APP);
  const model = new Model(root);
  const put = (path: string, text: string) => {
    mkdirSync(parentOf(path), { recursive: true });
    writeFileSync(path, text);
    model.add(path, { file: text });
  };
  const link = (path: string, written: string) => {
    mkdirSync(parentOf(path), { recursive: true });
    symlinkSync(written, path);
    model.add(path, { link: written });
  };
  OUTSIDE.forEach((path) => put(join(home, path), `CANARY ${path}`));
  link(join(home, "outside/back"), root);
  put(join(root, "index.html"), "entry");
  for (const { path, kind } of entries) {
    const full = join(root, ...path);
    if (!model.hasRoomFor(full)) continue;
    if (kind === "file") put(full, `file ${path.join("/")}`);
    else if (kind === "directory") {
      mkdirSync(full, { recursive: true });
      model.add(full, "directory");
    } else link(full, kind.link.replace("{app}", root).replace("{home}", home));
  }
  return { handler, root, model };
}

/** What the source says: the file's text, or the code of the refusal. */
async function sourceOutcome(files: HostFiles, root: string, path: string): Promise<string> {
  try {
    const { file } = await folderSource(files, root, NO_SIDECARS).open(assetComponents(path));
    const view = new Uint8Array(256);
    const count = file.readSync(view, 0);
    file.close();
    return new TextDecoder().decode(view.subarray(0, count));
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error.code;
  }
}

/** What the server answers: the file's text, or the code of the refusal. */
async function servedOutcome(handler: AppHandler, path: string): Promise<string> {
  const response = await handler.fetch(`/apps/main/app/${encoded(path)}`);
  if (response.status === 200) return await response.text();
  return (await outcomeOf(response)).replace(/^\d+ /, "");
}

/** Each second character is escaped, so that `.` and `/` come in both spellings. */
function encoded(path: string): string {
  return [...path].map((character, index) =>
    index % 2 === 1 || !/[\w./]/.test(character)
      ? `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`
      : character
  ).join("");
}

describe("the resolution of paths in an app's folder", () => {
  it("is that of the model, over HTTP and by the source", { timeout: 120_000 }, async () => {
    const kinds = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(tree, fc.array(asked, { minLength: 12, maxLength: 12 }), async (...made) => {
        const [entries, requests] = made;
        const { handler, root, model } = makeWorld(entries);
        try {
          // What was generated as an entry is asked for too.
          for (const parts of [...requests, ...entries.map((made) => made.path)]) {
            const path = parts.join("/");
            const expected = model.answer(path);
            const source = await sourceOutcome(handler.files, root, path);
            assert.ok(expected.includes(source), `${path}: ${source}, not ${expected}`);
            if (assetNames(path) > 0) {
              const served = await servedOutcome(handler, path);
              assert.ok(expected.includes(served), `${path} served: ${served}, not ${expected}`);
            }
            const kind = source.startsWith("file ") ? "file" : source;
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          }
          assert.deepEqual(handler.unexpected, []);
          // The last one may come back just after its body was read.
          await until(() => handler.permits.free === handler.permits.limit);
        } finally {
          handler.remove();
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
    for (const kind of ["file", "forbidden", "not_found"]) {
      assert.ok((kinds.get(kind) ?? 0) > 2, `${kind}: ${kinds.get(kind)}`);
    }
  });

  it("is that of the model where descriptors tell no paths", {
    timeout: 120_000,
  }, async () => {
    // Deno rounds the times of directories to seconds, so that a tree takes as long.
    const isCoarse = runtimeName === "deno";
    const ctimeStepMs = isCoarse ? 1000 : 1;
    const files = patientFiles(createFiles({ descriptorPaths: false, ctimeStepMs }));
    await fc.assert(
      fc.asyncProperty(tree, async (entries) => {
        const quiet = realpathSync(quietTempDirectory().path);
        const { handler, root, model } = makeWorld(entries, quiet);
        try {
          const paths = ["index.html", ...entries.map(({ path }) => path.join("/"))];
          const outcomes = await Promise.all(
            paths.map((path) => sourceOutcome(files, root, path)),
          );
          outcomes.forEach((outcome, index) => {
            const expected = model.answer(paths[index]!);
            assert.ok(expected.includes(outcome), `${paths[index]}: ${outcome}, not ${expected}`);
          });
        } finally {
          handler.remove();
        }
      }),
      { numRuns: isCoarse ? 3 : 12, endOnFailure: true },
    );
  });

  const cases: [what: string, entries: readonly Entry[], path: string, expected: string][] = [
    ["a link that stays inside", [file("a/c.txt"), link("b", "a")], "b/c.txt", "file a/c.txt"],
    ["a link that leaves and comes back", [file("a"), link("b", "../app/a")], "b", "file a"],
    ["a link by way of outside", [file("a"), link("b", "{home}/outside/back/a")], "b", "file a"],
    ["a link to a hidden name", [file(".h"), link("b", ".h")], "b", "forbidden"],
    ["a link to a hidden name that is missing", [link("b", ".h/a")], "b", "forbidden"],
    ["a link to a file outside", [link("b", "{home}/outside/secret.txt")], "b", "forbidden"],
    ["a link to what is missing outside", [link("b", "../../none")], "b", "forbidden"],
    ["a folder's link in the middle", [link("b", "../app2")], "b/secret.txt", "forbidden"],
    ["a loop", [link("a", "b"), link("b", "a")], "a", "not_found"],
    ["a link to nothing", [link("a", "b")], "a", "not_found"],
    ["a file as a folder", [file("a")], "a/b", "not_found"],
    ["a folder", [file("a/b")], "a", "not_found"],
  ];
  for (const [what, entries, path, expected] of cases) {
    it(`of ${what} is what the decisions say, and the model too`, async () => {
      const { handler, root, model } = makeWorld(entries);
      try {
        assert.deepEqual(model.answer(path).slice(0, 1), [expected]);
        assert.equal(await sourceOutcome(handler.files, root, path), expected);
        assert.equal(await servedOutcome(handler, path), expected);
      } finally {
        handler.remove();
        rmSync(handler.home, { recursive: true, force: true });
      }
    });
  }
});

function file(path: string): Entry {
  return { path: path.split("/"), kind: "file" };
}

function link(path: string, written: string): Entry {
  return { path: path.split("/"), kind: { link: written } };
}

function assetNames(path: string): number {
  return path.split("/").filter((part) => part !== "" && part !== ".").length;
}
