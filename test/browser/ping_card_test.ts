/** The guide's ping card, clicked end to end with a runner that really runs. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";

/** Waits for a file, so that the test can look at the page meanwhile. */
const WORKER = `
import { existsSync, writeFileSync } from "node:fs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
writeFileSync("received.json", text);
while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 20));
console.log("pong");
`;

for (const runtime of ["node", "bun", "deno"] as const) {
  describe(`ping card on ${runtime}`, { skip: skipBrowser }, () => {
    let home: TestHome;
    let holon: ServedHolon;
    let browser: Browser;

    before(async () => {
      home = testHome();
      home.template("main", "ping-card");
      home.agent("main", { runner: { command: [process.execPath, "worker.mjs"] } });
      home.file("main", "worker.mjs", WORKER);
      holon = await startHolon({ home: home.path, program: PROGRAMS[runtime] });
      browser = await launchBrowser();
    });

    after(async () => {
      await browser?.close();
      await holon?.stop();
      home?.remove();
    });

    it("reaches the agent's runner, and page and home page show its fate live", async () => {
      const context = await browser.newContext();
      const card = await context.newPage();
      const main = await context.newPage();
      const complaints = [complaintsOf(card), complaintsOf(main)];
      await main.goto(holon.url + "/");
      await card.goto(holon.url + "/apps/main/ping-card/");
      assert.equal(await card.title(), "Agent Ping Card");
      await card.getByText("Connected to agent: main").waitFor();
      await card.click("#ping-btn");
      await card.waitForFunction(
        `document.querySelector("#output").textContent.includes("accepted")`,
      );
      const receipt = JSON.parse(await card.locator("#output").innerText());
      await card.getByText("The agent is working on it").waitFor();
      const item = main.locator(".requests > li").first();
      await item.getByText("At work").waitFor();
      await main.getByText("Agent at work").waitFor();

      const received = join(home.path, "agents/main/received.json");
      while (!existsSync(received)) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.match(readFileSync(received, "utf8"), new RegExp(receipt.request_id));
      home.file("main", "go", "");
      await card.getByText("Done", { exact: true }).waitFor();
      assert.deepEqual(JSON.parse(await card.locator("#output").innerText()), receipt);
      await item.getByText("Done").waitFor();
      await item.locator("summary").click();
      await item.getByText("pong").waitFor();
      assert.match(await item.getByRole("region", { name: "Payload" }).innerText(), /"timestamp"/);
      assert.match(await item.innerText(), new RegExp(receipt.message_id));
      assert.deepEqual(complaints, [[], []]);
    });
  });
}
