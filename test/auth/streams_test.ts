import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createEndings } from "../../src/auth/endings.ts";
import { createHolon, type Holon } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import { tempDirectory } from "../support/temp_home.ts";

const TOKEN = "a token that is long enough";

describe("event streams", () => {
  const directory = tempDirectory();
  let holon: Holon;

  before(async () => {
    const home = realpathSync(directory.path);
    const app = join(home, "agents/main/apps/card");
    mkdirSync(app, { recursive: true });
    writeFileSync(join(app, "index.html"), "<p>card");
    const config = '{"local_apps":{"live_reload":"on"}}';
    writeFileSync(join(home, "config.json"), config, { mode: 0o600 });
    holon = await createHolon({ host: createHost(), home, token: TOKEN });
  });
  after(async () => {
    await holon.close();
    directory.remove();
  });

  function send(method: string, path: string, credential: string, body?: unknown) {
    return holon.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  }

  /** A token, or a session that was made of it. */
  async function credentialOf(name: string, kind: "session" | "token"): Promise<string> {
    const made = await send("POST", "/api/auth/tokens", TOKEN, { name, scope: "app" });
    const { credential } = await made.json();
    if (kind === "token") return credential;
    const exchange = await send("POST", "/api/auth/session/exchange", "", { credential });
    return /=([0-9a-f]{64})/.exec(exchange.headers.get("set-cookie") ?? "")![1]!;
  }

  /** Opens every stream that there is. */
  async function openAll(credential: string): Promise<{ readonly ended: Promise<unknown> }> {
    const paths = holon.routes.filter(({ produces }) => produces === "text/event-stream")
      .map(({ path }) => path.replace(":agent", "main").replace(":app", "card"))
      .map((path) => path === "/api/reload" ? `${path}?apps=main/card` : path);
    assert.ok(paths.length >= 4);
    const responses = await Promise.all(paths.map((path) => send("GET", path, credential)));
    responses.forEach(({ status }, index) => assert.equal(status, 200, paths[index]));
    return { ended: Promise.all(responses.map(readToEnd)) };
  }

  async function readToEnd({ body }: Response): Promise<void> {
    const reader = body!.getReader();
    while (!(await reader.read()).done);
  }

  it("end with the session that opened them, and only those", async () => {
    const kept = await openAll(TOKEN);
    let isKept = true;
    kept.ended.then(() => isKept = false);
    const { ended } = await openAll(await credentialOf("one", "session"));
    const { sessions } = await (await send("GET", "/api/auth/sessions", TOKEN)).json();
    const id = sessions.find(({ token }: { token: string }) => token === "one").id;
    await send("DELETE", `/api/auth/sessions/${id}`, TOKEN);
    await ended;
    assert.ok(isKept);
  });

  it("end when one signs out", async () => {
    const credential = await credentialOf("two", "session");
    const { ended } = await openAll(credential);
    await send("POST", "/api/auth/session/logout", credential);
    await ended;
  });

  it("end with a token, and with another secret for it", async () => {
    for (const kind of ["session", "token"] as const) {
      const name = `of-${kind}`;
      const { ended } = await openAll(await credentialOf(name, kind));
      await send("DELETE", `/api/auth/tokens/${name}`, TOKEN);
      await ended;
      const rotated = await openAll(await credentialOf(name, kind));
      await send("POST", `/api/auth/tokens/${name}/rotate`, TOKEN, {});
      await rotated.ended;
    }
  });
});

describe("createEndings()", () => {
  it("finds what has ended by the clock, while somebody waits", async () => {
    const live = new Set(["session:a", "session:b"]);
    const endings = createEndings((key) => live.has(key), 5);
    const ended = new Promise<void>((resolve) => endings.on("session:a", resolve));
    const stop = endings.on("session:b", () => assert.fail("it is live"));
    live.delete("session:a");
    await ended;
    stop();
    live.clear();
    endings.end("session:b");
  });
});
