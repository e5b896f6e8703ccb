/**
 * A program on a terminal of its own, through `script` of util-linux: bytes in, bytes out.
 *
 * @module
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** A program under way. */
export interface Terminal {
  /** Types bytes. */
  type(text: string): void;
  /** Resolves when the program next draws that text, with how long it took, in ms. */
  drawn(text: string, timeoutMs: number): Promise<number>;
  /** Resident memory of the program, in bytes. */
  rss(): number;
  /** Bytes that it has written. */
  readonly written: number;
  end(): Promise<void>;
}

/** Starts a program on a terminal of that size. */
export function startTerminal(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Terminal {
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const line = `stty cols ${columns} rows ${rows}; exec ${words}`;
  const child: ChildProcessWithoutNullStreams = spawn("script", ["-qfec", line, "/dev/null"], {
    env: { ...process.env, ...env },
  });
  const exited = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const decoder = new TextDecoder();
  let written = 0;
  let waiting: { readonly text: string; readonly seen: () => void } | null = null;
  let tail = "";
  child.stdout.on("data", (chunk: Uint8Array) => {
    written += chunk.byteLength;
    if (waiting === null) return;
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-65_536);
    if (tail.includes(waiting.text)) waiting.seen();
  });
  return {
    type: (text) => void child.stdin.write(text),
    drawn(text, timeoutMs) {
      const begun = performance.now();
      tail = "";
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting = null;
          reject(new Error(`not drawn within ${timeoutMs} ms: ${JSON.stringify(text)}`));
        }, timeoutMs);
        waiting = {
          text,
          seen() {
            clearTimeout(timer);
            waiting = null;
            resolve(performance.now() - begun);
          },
        };
      });
    },
    rss: () => rssOf(childOf(child.pid ?? 0)),
    get written() {
      return written;
    },
    async end() {
      child.stdin.write("\u0003");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
      await exited;
      clearTimeout(timer);
    },
  };
}

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

function rssOf(pid: number): number {
  const [, kib = "0"] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ??
    [];
  return Number(kib) * 1024;
}
