/** More clients than the process has descriptors for, which connect and send nothing. */

import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { callJson } from "../support/json_client.ts";
import { runtimeName } from "../support/runtime.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { skipWithout } from "../support/tools.ts";
import { until } from "../support/until.ts";

describe("a server that may open few files", {
  skip: skipWithout("prlimit", "util-linux"),
}, () => {
  let directory: TempDirectory;
  let holon: ServedHolon;
  const idle: Socket[] = [];
  before(async () => {
    directory = tempDirectory();
    holon = await startHolon({
      home: join(directory.path, "home"),
      program: ["prlimit", "--nofile=256:256", ...PROGRAMS[runtimeName]],
    });
  });
  after(async () => {
    idle.forEach((socket) => socket.destroy());
    await holon?.script.stop();
    directory.remove();
  });

  it("cuts those that wait, and answers the others then and later", async () => {
    const port = Number(new URL(holon.url).port);
    let gone = 0;
    for (let n = 0; n < 300; n++) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {}).on("close", () => gone++);
      socket.resume();
      idle.push(socket);
    }
    await until(() => gone > 0);
    assert.equal((await callJson(holon.url, "/api/agents")).status, 200);
    idle.forEach((socket) => socket.destroy());
    assert.equal((await callJson(holon.url, "/api/agents")).status, 200);
  });
});
