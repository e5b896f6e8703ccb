/**
 * Readers of files: whole, ranges, 304, HEAD, refusals, and downloads that are cut.
 *
 * @module
 */

import type { SoakClient } from "./client.ts";
import { APPS, BIG_BYTES, bigBytes, LIVE_APP, SMALL_TEXT } from "./home.ts";
import { pick, roll } from "./pace.ts";

const BIG = `/apps/main/${APPS[0]}/big.bin`;
const small = () => `/apps/main/${pick(APPS)}/small.txt`;

/** One request for a file, of some kind. */
export async function readAsset(client: SoakClient): Promise<void> {
  await pick([whole, whole, range, range, notModified, coded, head, live, live, refused])(client);
}

/** A download that the client gives up somewhere. */
export async function cutDownload(client: SoakClient): Promise<void> {
  const response = await client.open({ kind: "cut download", path: BIG, allowed: [200] });
  if (response === null) return;
  const most = roll(BIG_BYTES / 4);
  let got = 0;
  await new Promise<void>((resolve) => {
    response.on("data", (chunk: { readonly length: number }) => {
      got += chunk.length;
      if (got >= most) response.destroy();
    });
    response.on("error", () => {});
    response.on("close", resolve);
  });
}

async function whole(client: SoakClient): Promise<void> {
  const { tally } = client;
  const answer = await client.call({ kind: "whole", path: small(), allowed: [200] });
  if (answer !== null) tally.check(answer.body.toString() === SMALL_TEXT, "small.txt: wrong bytes");
}

async function range(client: SoakClient): Promise<void> {
  const start = roll(BIG_BYTES - 1);
  const end = Math.min(BIG_BYTES, start + 1 + roll(64 * 1024));
  const headers = { range: `bytes=${start}-${end - 1}` };
  const answer = await client.call({ kind: "range", path: BIG, headers, allowed: [206] });
  if (answer === null) return;
  const told = answer.headers["content-range"];
  client.tally.check(told === `bytes ${start}-${end - 1}/${BIG_BYTES}`, `range: told ${told}`);
  client.tally.check(
    answer.body.equals(bigBytes(start, end)),
    `range ${start}-${end}: wrong bytes`,
  );
}

async function notModified(client: SoakClient): Promise<void> {
  const path = small();
  const first = await client.call({ kind: "whole", path, allowed: [200] });
  const etag = first?.headers.etag;
  if (etag === undefined) return;
  const headers = { "if-none-match": etag };
  await client.call({ kind: "conditional", path, headers, allowed: [304] });
}

async function coded(client: SoakClient): Promise<void> {
  const headers = { "accept-encoding": "gzip" };
  const answer = await client.call({ kind: "coded", path: small(), headers, allowed: [200] });
  // The setting is switched on and off meanwhile.
  if (answer?.headers["content-encoding"] === "gzip") client.tally.count("sent from small.txt.gz");
}

async function head(client: SoakClient): Promise<void> {
  const answer = await client.call({ kind: "head", method: "HEAD", path: BIG, allowed: [200] });
  if (answer === null) return;
  client.tally.check(answer.headers["content-length"] === String(BIG_BYTES), "head: wrong length");
}

async function live(client: SoakClient): Promise<void> {
  // The whole folder is replaced now and then, so that it may be missing for a moment.
  const allowed = [200, 404];
  const root = `/apps/main/${LIVE_APP}`;
  if (roll(2) === 0) {
    const call = { kind: "rewritten", path: `${root}/style.css`, allowed, mayBreak: true };
    await client.call(call);
    return;
  }
  const answer = await client.call({ kind: "replaced", path: `${root}/page.html`, allowed });
  if (answer === null || answer.status === 404) return;
  const versions = new Set(answer.body.toString().match(/v\d+;/g));
  client.tally.check(versions.size === 1, "page.html: bytes of two versions in one answer");
}

async function refused(client: SoakClient): Promise<void> {
  const [path, status] = pick(
    [
      [`/apps/main/${APPS[0]}/.secret`, 403],
      [`/apps/main/${APPS[0]}/%2e%2e/two/small.txt`, 403],
      [`/apps/main/${APPS[0]}/missing.js`, 404],
      [`/apps/main/${APPS[0]}/sub`, 404],
      [`/apps/main/none/`, 404],
      [`/nowhere`, 404],
    ] as const,
  );
  const answer = await client.call({ kind: "refused", path, allowed: [status] });
  if (answer?.body.includes("CANARY")) client.tally.violation(`${path} told a secret`);
}
