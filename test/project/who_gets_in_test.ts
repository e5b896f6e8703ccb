import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import type { AccessOptions } from "../../src/cli/command.ts";
import { rawConnect, type RawConnection, type RawTarget } from "../support/raw_http.ts";
import { type ReachedHolon, reachedHolon } from "../support/reached_holon.ts";
import { SURFACES, triesOf, type Try } from "./surfaces.ts";

// The table of docs/remote-access.md, made by asking. HOLON_WRITE_TABLE=1 writes it anew.

const FILE = join(import.meta.dirname, "../../docs/remote-access.md");
const BEGIN = "<!-- who gets in -->";
const END = "<!-- /who gets in -->";

const TOKEN = "the-token-of-the-server-0123456789";

/** A way in: how the server was started, and how a client comes to it. */
interface Door {
  readonly name: string;
  readonly access: AccessOptions;
  readonly unix?: true;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const DOORS: readonly Door[] = [
  { name: "The socket", access: { token: TOKEN }, unix: true },
  { name: "`local`, `tunnel`; no token", access: {} },
  { name: "the same, by a proxy", access: {}, headers: { "X-Forwarded-For": "192.0.2.1" } },
  { name: "`local`; token", access: { token: TOKEN } },
  { name: "`tunnel`; token", access: { access: "tunnel", token: TOKEN } },
  { name: "`lan`", access: { access: "lan", host: "lab.local", token: TOKEN }, host: "lab.local" },
  {
    name: "`tailnet`",
    access: { access: "tailnet", host: "lab.tail1234.ts.net", token: TOKEN },
    host: "lab.tail1234.ts.net",
  },
];

const SCOPES = ["read", "app", "control"] as const;

/** Header lines of what is presented, by what it is; those that must never open anything. */
interface Credentials {
  readonly wrong: Readonly<Record<string, string>>;
  readonly right: Readonly<Record<string, string>>;
}

/** Sends requests one after another on one connection, as long as that lasts. */
class Client {
  readonly #target: RawTarget;
  readonly #lines: readonly string[];
  #connection: RawConnection | null = null;

  constructor(target: RawTarget, lines: readonly string[]) {
    this.#target = target;
    this.#lines = lines;
  }

  /** Whether a request is let in: past who may, whatever it is answered with then. */
  async isLetIn({ method, path }: Pick<Try, "method" | "path">, line = ""): Promise<boolean> {
    const { status, text } = await this.send(method, path, line);
    assert.ok(status < 500 && status !== 421, `${method} ${path}: ${status} ${text}`);
    if (![401, 403, 429].includes(status)) return true;
    const { error, code } = JSON.parse(text);
    const isOut = /^This needs a |^That is a wrong credential/.test(error);
    assert.ok(isOut || error === "There is no session to end", `${method} ${path}: ${error}`);
    if (isOut) assert.match(code, /^(auth_required|forbidden|too_many_attempts)$/);
    return !isOut;
  }

  async send(method: string, path: string, line = "", body = "") {
    if (this.#connection?.state() !== "open") {
      this.#connection?.close();
      this.#connection = await rawConnect(this.#target);
    }
    const connection = this.#connection;
    const type = body === "" ? [] : ["Content-Type: application/json"];
    const lines = [...this.#lines, ...type, ...(line === "" ? [] : [line])];
    const length = method === "GET" ? [] : [`Content-Length: ${body.length}`];
    connection.write([`${method} ${path} HTTP/1.1`, ...lines, ...length, "", body].join("\r\n"));
    const head = await connection.head();
    if (head.header("content-type") === "text/event-stream") {
      this.close();
      return { status: head.status, text: "", cookie: "" };
    }
    const count = Number(head.header("content-length") ?? 0);
    const text = (await connection.take(count)).toString();
    return { status: head.status, text, cookie: head.header("set-cookie") ?? "" };
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
  }
}

/** Makes one of each, over the socket; a session has to be made over TCP. */
async function makeCredentials(reached: ReachedHolon, client: Client): Promise<Credentials> {
  const socket = new Client({ path: reached.socket }, ["Host: localhost"]);
  const right: Record<string, string> = {};
  const make = async (name: string, scope: string) => {
    const body = JSON.stringify({ name, scope });
    const { text } = await socket.send("POST", "/api/auth/tokens", "", body);
    return String(JSON.parse(text).credential);
  };
  const gone = await make("gone", "control");
  const credential = await make("kept", "control");
  const exchange = "/api/auth/session/exchange";
  const { cookie } = await client.send("POST", exchange, "", JSON.stringify({ credential }));
  const session = /^[^;]+/.exec(cookie)?.[0] ?? "";
  assert.match(session, /=[0-9a-f]{64}$/);
  reached.advance(8 * 24 * 3_600_000);
  await socket.send("POST", "/api/auth/tokens/gone/rotate", "", "{}");
  for (const scope of SCOPES) right[scope] = `Authorization: Bearer ${await make(scope, scope)}`;
  socket.close();
  return {
    right,
    wrong: {
      nothing: "",
      "a wrong token": `Authorization: Bearer ${"0".repeat(64)}`,
      "an expired session": `Cookie: ${session}`,
      "a token that was rotated": `Authorization: Bearer ${gone}`,
      "a token in a cookie": `Cookie: ${session.split("=")[0]}=${TOKEN}`,
    },
  };
}

/** Who is let in at a door, by surface. */
async function sweep(door: Door): Promise<ReadonlyMap<string, string>> {
  const reached = await reachedHolon(door.access);
  const target = door.unix ? { path: reached.socket } : { port: reached.port };
  const headers = Object.entries(door.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const host = `${door.host ?? "localhost"}:${reached.port}`;
  const client = new Client(target, [`Host: ${host}`, "Accept: application/json", ...headers]);
  try {
    const { right, wrong } = await makeCredentials(reached, client);
    const found = new Map<string, string>();
    for (const one of triesOf(reached.holon.routes)) {
      const who = await whoIsLetIn(client, one, right, wrong);
      const before = found.get(one.surface) ?? who;
      assert.equal(who, before, `${door.name}: ${one.method} ${one.path} differs from its surface`);
      found.set(one.surface, who);
    }
    return found;
  } finally {
    client.close();
    await reached.close();
  }
}

/** The least that lets a request in. */
async function whoIsLetIn(
  client: Client,
  one: Try,
  right: Credentials["right"],
  wrong: Credentials["wrong"],
): Promise<string> {
  const open = new Set<boolean>();
  for (const [what, line] of Object.entries(wrong)) {
    const isIn = await client.isLetIn(one, line);
    open.add(isIn);
    assert.equal(open.size, 1, `${one.method} ${one.path} takes ${what} for something`);
  }
  if (open.has(true)) return "everyone";
  let least: string | null = null;
  for (const scope of SCOPES) {
    const isIn = await client.isLetIn(one, right[scope]);
    if (isIn) least ??= scope;
    assert.equal(isIn, least !== null, `${one.method} ${one.path} wants more than ${least}`);
  }
  return least ?? "nobody";
}

function tableOf(columns: readonly ReadonlyMap<string, string>[]): string {
  const rows = [
    ["", ...DOORS.map(({ name }) => name)],
    DOORS.map(() => "-").concat("-"),
    ...SURFACES.map(([name]) => [name, ...columns.map((column) => column.get(name) ?? "nothing")]),
  ];
  return rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Without the blanks and dashes that the formatter makes columns of. */
function plain(table: string): string {
  return table.trim().split("\n").map((line) =>
    line.split("|").map((cell) => cell.trim().replace(/^-+$/, "-")).join("|")
  ).join("\n");
}

describe("who gets in", () => {
  it("is what docs/remote-access.md says, on every route and at every door", async () => {
    const columns: ReadonlyMap<string, string>[] = [];
    for (const door of DOORS) columns.push(await sweep(door));
    const table = tableOf(columns);
    const page = readFileSync(FILE, "utf8");
    const [before = "", rest = ""] = page.split(BEGIN);
    const [committed = "", after = ""] = rest.split(END);
    if (process.env["HOLON_WRITE_TABLE"] === "1") {
      writeFileSync(FILE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
    }
    assert.equal(plain(committed), plain(table), "HOLON_WRITE_TABLE=1 writes the table anew");
  });
});
