import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { tempDirectory } from "../support/temp_home.ts";
import { skipWithout } from "../support/tools.ts";
import { until } from "../support/until.ts";
import { startTmux, type Tmux } from "./tmux.ts";
import { startUnrulyProxy, type UnrulyProxy } from "./unruly_proxy.ts";

const TOKEN = "a-token-that-is-long-enough";
const SIZE = { columns: 90, rows: 24 };

interface Message {
  readonly id: string;
  readonly payload: { readonly text?: string };
}

describe("holon tui in a terminal", { skip: skipWithout("tmux"), timeout: 240_000 }, () => {
  const directory = tempDirectory();
  const home = join(directory.path, "home");
  const tokenFile = join(directory.path, "token");
  let holon: ServedHolon;
  let proxy: UnrulyProxy;
  const terminals: Tmux[] = [];

  before(async () => {
    writeFileSync(tokenFile, TOKEN);
    chmodSync(tokenFile, 0o600);
    holon = await serve();
    proxy = await startUnrulyProxy(portOf(holon.url));
  });
  after(async () => {
    for (const terminal of terminals) await terminal.end();
    await proxy.close();
    await holon.stop();
    directory.remove();
  });

  const serve = (args: readonly string[] = []) =>
    startHolon({ home, program: PROGRAMS.node, args: ["--token-file", tokenFile, ...args] });

  const portOf = (url: string): number => Number(new URL(url).port);

  async function open(
    args: readonly string[],
    { runtime = "node", size = SIZE, env = {} }: {
      readonly runtime?: keyof typeof PROGRAMS;
      readonly size?: typeof SIZE;
      readonly env?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Tmux> {
    const command = [...PROGRAMS[runtime], "tui", ...args];
    const terminal = await startTmux({ command, ...size, env });
    terminals.push(terminal);
    return terminal;
  }

  const openRemote = (args: readonly string[] = []) =>
    open(["--connect", proxy.url, "--token-file", tokenFile, ...args]);

  const openLocal = (options: Parameters<typeof open>[1] = {}) =>
    open([], { ...options, env: { HOLON_HOME: home, ...options.env } });

  async function api(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${holon.url}/api/agents/main${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return await response.json();
  }

  async function messagesWith(text: string): Promise<readonly Message[]> {
    const { messages } = await api("GET", "/messages?limit=100") as {
      readonly messages: readonly Message[];
    };
    return messages.filter((it) => it.payload?.text === text);
  }

  /** Types letter by letter, and sees each on the screen before the next. */
  async function typeSlowly(terminal: Tmux, text: string): Promise<void> {
    let typed = "";
    for (const letter of text) {
      await terminal.type(letter);
      typed += letter;
      await terminal.see(new RegExp(`> ${typed}$`, "m"), 5000);
    }
  }

  it("sends a text and follows what becomes of it", async () => {
    const terminal = await openRemote();
    await terminal.see(/● streaming/);
    await terminal.type("Build a chart, 漢字 👍🏽");
    await terminal.press("M-Enter");
    await terminal.type("with two lines");
    await terminal.see(/> Build a chart, 漢字 👍🏽\n {2}with two lines/);
    await terminal.press("Enter");
    await terminal.see(/○ queued {2}you\n {2}Build a chart/);
    const { messages: [claimed] } = await api("POST", "/messages/claim", {}) as {
      readonly messages: readonly (Message & { readonly lease_id: string })[];
    };
    assert.equal(claimed?.payload.text, "Build a chart, 漢字 👍🏽\nwith two lines");
    await terminal.see(/◐ processing {2}you/);
    const { lease_id } = claimed;
    await api("POST", `/messages/${claimed.id}/ack`, { lease_id, output: "the chart is there" });
    await terminal.see(/✓ succeeded {2}you[\s\S]*→ .*the chart is there/);

    await terminal.paste("pasted\n/quit\nlines");
    await terminal.see(/> pasted\n {2}\/quit\n {2}lines/);
    await terminal.press("C-u", "BSpace", "C-u", "BSpace", "C-u");
    await terminal.type("/apps");
    await terminal.press("Enter");
    await terminal.see(/› ping-card/);
    await terminal.type("/qr ping-card");
    await terminal.press("Enter");
    await terminal.see(/█▀|▀█|▄█/);
    await terminal.press("Escape");
    await terminal.see(/› ping-card/);
    await terminal.type("/nonsense");
    await terminal.press("Enter");
    await terminal.see(/There is no command \/nonsense/);
    await terminal.press("C-c");
    await terminal.see(/^BEFORE\nEXIT 0$/);
  });

  it("draws each key while the network stalls, is late, breaks and refuses, and says so", async () => {
    const terminal = await openRemote();
    await terminal.see(/● streaming/);

    await proxy.behave("stall");
    await typeSlowly(terminal, "stalled");
    await terminal.see(/◍ stale \(\d+ s\)/);
    await terminal.type(" on");
    await terminal.see(/> stalled on/, 5000);
    await proxy.behave("delay");
    await terminal.see(/● streaming[\s\S]*> stalled on/);
    await typeSlowlyBehind(terminal, "stalled on", " late");
    await terminal.see(/● streaming/);

    await proxy.behave("refuse");
    await terminal.see(/↻ reconnecting \(attempt \d+, (?:in \d+ s|now)\)[\s\S]*nothing listens at/);
    await typeSlowlyBehind(terminal, "stalled on late", " refused");
    await terminal.see(/attempt 2/);
    await terminal.press("Enter");
    await terminal.see(/… waiting to be sent: nothing listens[\s\S]*stalled on late refused/);
    await terminal.type("next");
    await proxy.behave("pass");
    await terminal.type("/refresh");
    await terminal.press("C-u");
    await terminal.type("and more");
    await terminal.see(
      /● streaming[\s\S]*○ queued {2}you\n {2}stalled on late refused[\s\S]*> and more/,
    );
    assert.equal((await messagesWith("stalled on late refused")).length, 1);

    // Cut in mid-air, again and again, while typing.
    for (const letter of "!?.") {
      proxy.cut();
      await terminal.type(letter);
    }
    await terminal.see(/> and more!\?\.$/m, 5000);
    await terminal.see(/● streaming/);
    await terminal.press("C-u", "C-c");
    await terminal.see(/EXIT 0$/);
  });

  async function typeSlowlyBehind(terminal: Tmux, before: string, text: string): Promise<void> {
    let typed = before;
    for (const letter of text) {
      await terminal.type(letter);
      typed += letter;
      if (letter !== " ") await terminal.see(new RegExp(`> ${typed}$`, "m"), 5000);
    }
  }

  it("types on while the server dies, and names another version in its place", async () => {
    const terminal = await openRemote();
    await terminal.see(/● streaming/);
    await terminal.type("before ");
    holon.script.signal("SIGKILL");
    await holon.script.exited;
    await typeSlowlyBehind(terminal, "before ", "and after");
    await terminal.see(/↻ reconnecting \(attempt/);

    const other = createServer((request, response) => {
      response.setHeader("content-type", "application/json");
      const handshake = request.url === "/api/handshake";
      response.statusCode = handshake ? 200 : 503;
      response.end(JSON.stringify(
        handshake
          ? {
            protocol: { name: "holon-control", version: 1 },
            version: "9.9.9",
            runtime: { default_agent: "main" },
          }
          : { ok: false, error: "it is starting", code: "runtime_shutting_down" },
      ));
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    proxy.leadTo((other.address() as AddressInfo).port);
    await terminal.see(/Another version answers now: Holon 9\.9\.9/);
    await terminal.see(/> before and after/);
    other.closeAllConnections();
    other.close();

    holon = await serve();
    proxy.leadTo(portOf(holon.url));
    await terminal.type("/");
    await terminal.press("BSpace", "C-r");
    await terminal.see(/● streaming[\s\S]*> before and after/);
    await terminal.press("C-c");
    await terminal.see(/EXIT 0$/);
  });

  it("refuses at once, with a sentence, what time does not mend", async () => {
    const [wrong, absent] = await Promise.all([
      open(["--connect", proxy.url, "--token", "not-the-token-at-all"]),
      open([], { env: { HOLON_HOME: join(directory.path, "nothing") } }),
    ]);
    await wrong.see(/holon: \S+ does not take this token[\s\S]*EXIT 1$/);
    await absent.see(/no server runs on this home\n {2}Start it with `holon serve`[\s\S]*EXIT 1$/);
  });

  it("is usable at 40 by 10 without colour, and takes no orders from hostile text", async () => {
    const hostile =
      "\u001b]0;OWNED\u0007\u001b[2J\u001b[31mred\u001b[?1049l\u009b5;5Hx\u202eabc\u0000";
    await api("POST", "/messages", { payload: { hostile, [hostile]: 1 } });
    await api("POST", "/messages", { text: hostile });
    const size = { columns: 40, rows: 10 };
    const terminal = await openLocal({ size, env: { NO_COLOR: "1" } });
    await terminal.see(/● streaming[\s\S]*red/);
    await terminal.type("/help");
    await terminal.press("Enter");
    await terminal.see(/── Help/);
    await terminal.press("Escape");
    await terminal.type("small");
    await terminal.see(/^ main[\s\S]*red[\s\S]*> small/);
    assert.doesNotMatch(await terminal.ask("#{pane_title}"), /OWNED/);
    assert.equal(await terminal.ask("#{alternate_on}"), "1");
    // Bold, dim and reverse are no colours, and 39 and 49 are the terminal's own.
    const colour = new RegExp("\u001b\\[(?:\\d+;)*(?:[34][0-8]|9[0-7]|10[0-7])m");
    assert.doesNotMatch(await terminal.paintedScreen(), colour);
    await terminal.resize(110, 30);
    await terminal.see(/│ Agents \(1\)[\s\S]*> small/);
    await terminal.press("C-c");
    await terminal.see(/^BEFORE\nEXIT 0$/);
  });

  it("gives the terminal back when it is ended or crashes", async () => {
    const signals = [["SIGTERM", 143], ["SIGHUP", 129]] as const;
    await Promise.all(signals.map(async ([signal, code]) => {
      const terminal = await openLocal();
      await terminal.see(/● streaming/);
      process.kill(await terminal.pid(), signal);
      await terminal.see(new RegExp(`^BEFORE\\nEXIT ${code}$`));
      assert.equal(await terminal.ask("#{alternate_on} #{cursor_flag}"), "0 1");
    }));
    const crashing = await startTmux({
      command: [PROGRAMS.node[0] ?? "", "test/clients/crashing_tui.ts"],
      ...SIZE,
    });
    terminals.push(crashing);
    await crashing.see(/^BEFORE\ncaught: the crash of this test\nEXIT 7$/);
    assert.equal(await crashing.ask("#{alternate_on} #{cursor_flag}"), "0 1");
    // The terminal is no longer raw: it echoes, and Ctrl+C is a signal again.
    await crashing.type("echoed");
    await crashing.see(/echoed/);
  });

  it("runs on Deno and Bun, and on the primary screen", async () => {
    await Promise.all((["deno", "bun"] as const).map(async (runtime) => {
      const terminal = await openLocal({ runtime });
      await terminal.see(/● streaming/);
      await terminal.type(`typed on ${runtime}`);
      await terminal.press("C-w");
      await terminal.type("runtime");
      await terminal.press("Enter");
      await terminal.see(/○ queued {2}you\n {2}typed on runtime/);
      await terminal.resize(40, 12);
      await terminal.see(/^ main {2}● streaming {8,12}local socket\n/);
      await terminal.press("C-c");
      await terminal.see(/^BEFORE\nEXIT 0$/);
    }));
    assert.equal((await messagesWith("typed on runtime")).length, 2);
    const primary = await open(["--no-alt-screen"], { env: { HOLON_HOME: home } });
    await primary.see(/● streaming/);
    assert.equal(await primary.ask("#{alternate_on}"), "0");
    await primary.press("C-c");
    await primary.see(/typed on runtime\n>[\s\S]*EXIT 0$/);
    await until(async () => (await primary.ask("#{cursor_flag}")) === "1");
  });
});
