/**
 * Small pieces on their own, by tinybench: parsing ranges, resolving paths, streaming a file.
 *
 * @module
 */

import { Bench } from "tinybench";
import { assetComponents } from "../src/apps/asset_path.ts";
import type { OpenedFile } from "../src/host/types.ts";
import { streamFile } from "../src/http/file_stream.ts";
import { decideRange } from "../src/http/range.ts";
import { decodePath, parseTarget } from "../src/http/target.ts";

/** One piece. */
export interface MicroResult {
  readonly name: string;
  readonly perSecond: number;
  /** Of the mean, in percent. */
  readonly margin: number;
}

const SIZE = 1024 * 1024;

/** Runs all of them on this runtime. */
export async function runMicro(seconds: number): Promise<readonly MicroResult[]> {
  const bench = new Bench({ time: seconds * 1000 });
  bench
    .add("range: bytes=0-1023", () => void decideRange("bytes=0-1023", SIZE))
    .add("range: a suffix", () => void decideRange("bytes=-500", SIZE))
    .add("range: several, so none", () => void decideRange("bytes=0-1, 3-4", SIZE))
    .add("path: target to components", () => {
      const { rawPath } = parseTarget("/apps/main/game/Build/a%20b.data.br?v=1");
      assetComponents(decodePath(rawPath));
    })
    .add("stream: 1 MiB in chunks", async () => {
      const { stream } = streamFile(zeros(SIZE), 0, SIZE, () => {}, true);
      const reader = stream.getReader();
      while (!(await reader.read()).done);
    });
  await bench.run();
  return bench.tasks.map(({ name, result }) => {
    if (!("throughput" in result)) throw new Error(`${name} did not complete.`);
    const { mean, rme } = result.throughput;
    return { name, perSecond: mean, margin: rme };
  });
}

/** A file that is only length: what is measured is the stream. */
function zeros(size: number): OpenedFile {
  const count = (view: Uint8Array, position: number) => Math.min(view.byteLength, size - position);
  const stat = {
    kind: "file",
    size,
    mtimeMs: 0,
    ctimeMs: 0,
    dev: 1,
    ino: 1,
    mode: 0o600,
    uid: 0,
  } as const;
  return {
    stat,
    readSync: count,
    read: (view, position) => Promise.resolve(count(view, position)),
    statNow: () => stat,
    refresh: () => {},
    close: () => {},
  };
}
