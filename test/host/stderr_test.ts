import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { createHost } from "../../src/host/current.ts";
import type { BodyOutcome, ConnectionInfo } from "../../src/host/types.ts";
import { repositoryRoot, scriptCommand } from "../support/runtime.ts";

function startWriter(how: "leave" | "wait") {
  const [program, ...args] = scriptCommand(`${repositoryRoot}/test/host/stderr_script.ts`, [how]);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise<string>((resolve) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => void (text += piece));
    child.on("close", () => resolve(text));
    // Its stderr may be left unread, which keeps it from closing.
    child.on("exit", () => child.stderr.destroy());
  });
  return { child, exited };
}

describe("Host.writeStderr()", () => {
  it("holds nothing up while nobody reads, not even the end of the process", async () => {
    const { exited } = startWriter("leave");
    assert.equal(await exited, "waiting after 50 ticks\n");
  });

  it("writes all of it, however slowly it is read", async () => {
    const { child, exited } = startWriter("wait");
    let bytes = 0;
    child.stderr.on("data", (piece: Uint8Array) => void (bytes += piece.byteLength));
    assert.match(await exited, /^written after/);
    assert.equal(bytes, 512 * 1024);
  });

  it("rejects where the reader is gone", async () => {
    const { child, exited } = startWriter("wait");
    child.stderr.destroy();
    assert.match(await exited, /^failed after/);
  });
});

describe("Host.memory()", () => {
  it("gives a plausible number of bytes", () => {
    const bytes = createHost().memory();
    assert.ok(bytes > 4 * 1024 * 1024 && bytes < 64 * 1024 ** 3, String(bytes));
  });
});

describe("ConnectionInfo.bytesSent()", () => {
  it("counts each response of a connection by itself", async () => {
    const seen: { outcome: BodyOutcome; bytes: number }[] = [];
    const note = async ({ ended, bytesSent }: ConnectionInfo) => {
      const outcome = await ended;
      seen.push({ outcome, bytes: bytesSent?.() ?? -1 });
    };
    const listener = await createHost().listen({
      address: { transport: "tcp", host: "127.0.0.1", port: 0 },
      fetch: (request, info) => {
        void note(info);
        return new Response("x".repeat(Number(new URL(request.url).searchParams.get("n"))));
      },
    });
    try {
      assert.ok(listener.address.transport === "tcp");
      const url = `http://127.0.0.1:${listener.address.port}/`;
      for (const size of [0, 100_000, 10]) await (await fetch(`${url}?n=${size}`)).arrayBuffer();
    } finally {
      await listener.close(1000);
    }
    assert.deepEqual(seen.map(({ outcome }) => outcome), ["finished", "finished", "finished"]);
    for (const [index, size] of [0, 100_000, 10].entries()) {
      const head = (seen[index]?.bytes ?? 0) - size;
      assert.ok(head > 20 && head < 500, `${head} bytes of head`);
    }
  });
});
