import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { callsAtOnce } from "../../src/host/file_calls.ts";
import { hasDescriptorPaths, openCanonical } from "../../src/host/open_canonical.ts";
import { HostError, type OpenedFile } from "../../src/host/types.ts";
import { runtimeName, startScript } from "../support/runtime.ts";
import { tempDirectory } from "../support/temp_home.ts";

const isCoarse = runtimeName === "deno";
const ctimeStepMs = isCoarse ? 1000 : 1;
const swapper = fileURLToPath(new URL("link_swapper.ts", import.meta.url));

interface Tally {
  readonly inside: number;
  readonly outside: number;
  readonly codes: ReadonlySet<string>;
}

function contentOf(file: OpenedFile): string {
  const view = new Uint8Array(16);
  const count = file.readSync(view, 0);
  file.close();
  return Buffer.from(view.subarray(0, count)).toString();
}

/** Opens `name/f.txt` again and again while `name` is swapped for a link to outside. */
async function race(
  open: (path: string) => Promise<OpenedFile>,
  enough: (tally: Tally & { readonly attempts: number }) => boolean,
): Promise<Tally> {
  const temp = tempDirectory();
  const root = fs.realpathSync(temp.path);
  for (const [folder, content] of [["app/name", "inside"], ["outside", "outside"]] as const) {
    fs.mkdirSync(join(root, folder), { recursive: true });
    fs.writeFileSync(join(root, folder, "f.txt"), content);
  }
  fs.symlinkSync("../outside", join(root, "app/link"));
  const script = startScript(swapper, { args: [join(root, "app")] });
  await script.line(/swapping/);
  const path = join(root, "app/name/f.txt");
  const codes = new Set<string>();
  const tally = { inside: 0, outside: 0, attempts: 0, codes };
  try {
    while (!enough(tally)) {
      tally.attempts++;
      try {
        const content = contentOf(await open(path));
        if (content === "inside") tally.inside++;
        else tally.outside++;
      } catch (error) {
        codes.add(error instanceof HostError ? error.code : String(error));
      }
    }
    return tally;
  } finally {
    await script.stop();
    temp.remove();
  }
}

function plainOpen(path: string): Promise<OpenedFile> {
  const descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  const file: OpenedFile = {
    stat: null as never,
    read: () => Promise.reject(new Error("not used")),
    readSync: (view, position) => fs.readSync(descriptor, view, 0, view.length, position),
    statNow: () => null as never,
    refresh: () => {},
    close: () => fs.closeSync(descriptor),
  };
  return Promise.resolve(file);
}

const expected = new Set(["moved", "not_found", "loop", "not_a_directory"]);

describe("openCanonical() while a directory is swapped for a link", () => {
  it("is needed: a plain open leads outside", async () => {
    const tally = await race(plainOpen, ({ outside }) => outside > 0);
    assert.ok(tally.outside > 0);
  });

  it(
    "never leads outside, by the descriptor's path",
    { skip: !hasDescriptorPaths() },
    async () => {
      const proof = { descriptorPaths: true, ctimeStepMs };
      const tally = await race(
        (path) => openCanonical(path, proof, callsAtOnce),
        ({ attempts, inside, codes }) => attempts >= 2000 && inside > 0 && codes.has("moved"),
      );
      assert.equal(tally.outside, 0);
      for (const code of tally.codes) assert.ok(expected.has(code), code);
    },
  );

  it("never leads outside, by looks before and after", async () => {
    const proof = { descriptorPaths: false, ctimeStepMs };
    const tally = await race(
      (path) => openCanonical(path, proof, callsAtOnce),
      // Where times are coarse, an attempt takes seconds and seldom gets as far as that.
      ({ attempts, codes }) => isCoarse ? attempts >= 5 : attempts >= 50 && codes.has("moved"),
    );
    // What is inside may be opened when the swapper happens to rest for long enough.
    assert.equal(tally.outside, 0);
    for (const code of tally.codes) assert.ok(expected.has(code), code);
  });
});
