/**
 * A terminal UI that crashes half a second after its start: the test looks at what is left of the
 * terminal.
 *
 * @module
 */

import process from "node:process";
import { runTui } from "../../src/tui/run_tui.ts";

const away = (): Promise<never> => new Promise(() => {});

setTimeout(() => {
  throw new Error("the crash of this test");
}, 500);

try {
  await runTui({
    client: {
      label: "nowhere",
      remote: false,
      url: null,
      handshake: away,
      json: away,
      async *events() {},
    },
    env: process.env,
    alternateScreen: true,
    now: () => performance.now(),
    openUrl: () => {},
  });
} catch (error) {
  console.log(`caught: ${(error as Error).message}`);
  process.exit(7);
}
