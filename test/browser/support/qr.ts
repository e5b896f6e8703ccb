/**
 * Reads QR codes off screens, as a phone's camera would.
 *
 * @module
 */

import type { Buffer } from "node:buffer";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";

const path = createRequire(import.meta.url).resolve("jsqr/dist/jsQR.js");

/** The text of the code in a PNG; `null` where none is found. */
export async function readQr(browser: Browser, png: Buffer): Promise<string | null> {
  const page = await browser.newPage();
  try {
    await page.addScriptTag({ path });
    return await page.evaluate(`(async () => {
      const image = new Image();
      image.src = "data:image/png;base64,${png.toString("base64")}";
      await image.decode();
      const { width, height } = image;
      const context = new OffscreenCanvas(width, height).getContext("2d");
      context.drawImage(image, 0, 0);
      return jsQR(context.getImageData(0, 0, width, height).data, width, height)?.data ?? null;
    })()`);
  } finally {
    await page.close();
  }
}
