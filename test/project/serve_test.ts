import assert from "node:assert/strict";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { toolPath } from "../../scripts/gate/tools.ts";
import { PROGRAMS, startHolon } from "../support/served_holon.ts";
import { startScript } from "../support/runtime.ts";
import { tempDirectory } from "../support/temp_home.ts";
import { listeningSockets } from "./listening_sockets.ts";

/** Every way to start a server from a clone. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  "node mod.ts": PROGRAMS.node,
  "bun mod.ts": PROGRAMS.bun,
  "deno run -A mod.ts": PROGRAMS.deno,
};

/** Every script or task that does. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  "npm run serve": ["npm", "run", "--silent"],
  "bun run serve": [toolPath("bun"), "run", "--silent"],
  "deno task serve": [toolPath("deno"), "task", "--quiet"],
};

/** Whoever types a runtime's name has it there. */
const PATH = `${dirname(toolPath("deno"))}${delimiter}${process.env["PATH"]}`;

const onLinux = process.platform === "linux" ? false : "needs Linux's /proc";

for (const [way, program] of Object.entries({ ...WAYS, ...SCRIPTS })) {
  it(`${way} listens on one TCP address and its socket`, { skip: onLinux }, async () => {
    const directory = tempDirectory();
    const home = join(directory.path, "home");
    try {
      const holon = await startHolon({ home, program, env: { PATH } });
      try {
        const response = await fetch(`${holon.url}/`);
        assert.equal(response.status, 200);
        await response.body?.cancel();
        const { tcp, unix } = listeningSockets(holon.script.pid);
        const port = Number(new URL(holon.url).port).toString(16).toUpperCase().padStart(4, "0");
        assert.deepEqual(tcp, [`0100007F:${port}`]);
        assert.deepEqual(unix, [join(home, "run", "holon.sock")]);
      } finally {
        assert.equal(await holon.stop(), 0);
      }
    } finally {
      directory.remove();
    }
  });
}

describe("serve", () => {
  it("runs beside another on a home of its own, and is refused on the same one", async () => {
    const first = tempDirectory();
    const second = tempDirectory();
    const running = [];
    try {
      running.push(await startHolon({ home: join(first.path, "home"), program: PROGRAMS.node }));
      running.push(await startHolon({ home: join(second.path, "home"), program: PROGRAMS.bun }));
      for (const { url } of running) {
        const response = await fetch(`${url}/api/agents`);
        assert.equal(response.status, 200);
        await response.body?.cancel();
      }
      const third = startScript("mod.ts", {
        command: [...PROGRAMS.deno, "serve", "--port", "0"],
        env: { HOLON_HOME: join(first.path, "home") },
      });
      assert.equal(await third.exited, 1);
      assert.equal(third.stderr().trim().split("\n").length, 1, third.stderr());
    } finally {
      for (const holon of running) await holon.stop();
      first.remove();
      second.remove();
    }
  });

  it("says in one line what to run instead when Deno gives no permission", async () => {
    const directory = tempDirectory();
    const script = startScript("mod.ts", {
      command: [
        toolPath("deno"),
        "run",
        "--no-lock",
        "--node-modules-dir=manual",
        "mod.ts",
        "serve",
      ],
      env: { HOLON_HOME: join(directory.path, "home") },
    });
    assert.equal(await script.exited, 1);
    const lines = (script.stdout() + script.stderr()).trim().split("\n");
    assert.equal(lines.length, 1, lines.join("\n"));
    assert.match(lines[0] ?? "", /deno task serve/);
    directory.remove();
  });
});
