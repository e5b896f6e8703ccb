import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type KeptConnection, keptConnection } from "../support/kept_connection.ts";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";

const TARGET = "/apps/main/a/sub/f.txt";
const ROUNDS = 24;

/** A change, with the status, the text and the isolation of the answer after it. */
type Change = readonly [change: () => void, status: number, text?: string, isolated?: boolean];

/** Requests that come in together share their looks; none may see what was before it was sent. */
describe("A file that many ask for at once", () => {
  let holon: ListeningHolon;
  let app: string;
  before(async () => {
    holon = await listeningHolon({
      // So late that all times are trusted at once.
      clock: { now: () => Date.now() + 60_000, monotonic: () => performance.now() },
    });
    app = join(holon.home, "agents/main/apps/a");
    holon.write({ "a/index.html": "", "a/sub/f.txt": "0" });
    mkdirSync(join(holon.home, "elsewhere"));
    writeFileSync(join(holon.home, "elsewhere/f.txt"), "CANARY");
  });
  after(() => holon.close());

  /** What may be done to an app, and what the next request has to be answered. */
  function changes(round: number): readonly Change[] {
    const manifest = { id: "a", name: "A", version: "1", entry: "index.html" };
    const declare = (isolation: boolean) =>
      writeFileSync(join(app, "manifest.json"), JSON.stringify({ ...manifest, isolation }));
    const file = join(app, "sub/f.txt");
    const restored = join(app, "sub/new.txt");
    const replace = (text: string) => {
      writeFileSync(restored, text);
      renameSync(restored, file);
    };
    return [
      [() => replace(`${round}`), 200, `${round}`],
      [() => writeFileSync(file, `${round} in place`), 200, `${round} in place`],
      [() => rmSync(file), 404],
      [() => symlinkSync(join(holon.home, "elsewhere/f.txt"), file), 403],
      [
        () => {
          rmSync(file);
          replace("back");
        },
        200,
        "back",
      ],
      [() => {
        renameSync(join(app, "sub"), join(app, ".sub"));
        symlinkSync(".sub", join(app, "sub"));
      }, 403],
      [
        () => {
          rmSync(join(app, "sub"));
          renameSync(join(app, ".sub"), join(app, "sub"));
        },
        200,
        "back",
      ],
      [() => renameSync(app, `${app}-moved`), 404],
      [() => renameSync(`${app}-moved`, app), 200, "back"],
      [() => declare(true), 200, "back", true],
      [() => declare(false), 200, "back", false],
      [() => writeFileSync(join(app, "manifest.json"), "{"), 422],
      [() => rmSync(join(app, "manifest.json")), 200, "back", false],
    ];
  }

  it("is for each request what it was when that was sent", async () => {
    const crowd = Array.from({ length: 12 }, () => keptConnection(holon.port));
    const connection = keptConnection(holon.port);
    let done = false;
    const ask = async (one: KeptConnection) => {
      while (!done) {
        const answer = await one.send(TARGET);
        assert.ok(!answer.text().includes("CANARY"));
      }
    };
    const asking = crowd.map(ask);
    try {
      for (let round = 0; round < ROUNDS; round++) {
        for (const [index, [change, status, text, isolated]] of changes(round).entries()) {
          change();
          const answer = await connection.send(TARGET);
          const at = `round ${round}, change ${index}`;
          assert.equal(answer.status, status, at);
          if (text !== undefined) assert.equal(answer.text(), text, at);
          if (isolated === undefined) continue;
          assert.equal(answer.header("cross-origin-opener-policy") !== null, isolated, at);
        }
      }
    } finally {
      done = true;
      await Promise.all(asking);
      [...crowd, connection].forEach((it) => it.close());
    }
    assert.deepEqual(holon.errors, []);
  });
});
