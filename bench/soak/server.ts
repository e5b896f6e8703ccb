/**
 * The server under soak: it is killed and started again on the same home and port.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { ROOT, type Runtime, toolPath } from "../../scripts/gate/tools.ts";
import type { Tally } from "./tally.ts";

const READY_MS = 120_000;

/** One home's server, in one life after the other. */
export class SoakServer {
  readonly runtime: Runtime;
  readonly home: string;
  readonly port: number;
  /** Counts its lives; a request during which it changes may fail. */
  life = 0;
  /** How long each start took until it listened, in ms. */
  readonly starts: number[] = [];
  readonly #tally: Tally;
  #child: ChildProcess | null = null;
  #exited: Promise<number | string> = Promise.resolve(0);
  #isUp = false;
  #wake: (() => void)[] = [];

  constructor(runtime: Runtime, home: string, port: number, tally: Tally) {
    this.runtime = runtime;
    this.home = home;
    this.port = port;
    this.#tally = tally;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Resolves once it listens. */
  async up(): Promise<void> {
    while (!this.#isUp) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  async start(): Promise<void> {
    const started = performance.now();
    const { HOLON_CONTROL_TOKEN: _, ...env } = process.env;
    const flags = this.runtime === "deno"
      ? ["run", "-A", "--no-lock", "--node-modules-dir=manual"]
      : [];
    const args = [...flags, "mod.ts", "serve", "--port", String(this.port), "--log", "json"];
    const child = spawn(toolPath(this.runtime), args, {
      cwd: ROOT,
      env: { ...env, HOLON_HOME: this.home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#exited = new Promise((resolve) =>
      child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"))
    );
    createInterface({ input: child.stderr! }).on("line", (line) => this.#heed(line));
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("It did not start in time")), READY_MS);
      createInterface({ input: child.stdout! }).on("line", (line) => {
        if (!line.includes("listening on http://")) return;
        clearTimeout(timer);
        resolve();
      });
      child.once("exit", (code) => reject(new Error(`It ended with ${code} instead of starting`)));
    });
    this.starts.push(performance.now() - started);
    this.#isUp = true;
    for (const wake of this.#wake.splice(0)) wake();
  }

  /** Kills it at whatever it is doing, and starts it again. */
  async crash(): Promise<void> {
    this.life++;
    this.#isUp = false;
    this.#child?.kill("SIGKILL");
    await this.#exited;
    await this.start();
  }

  /** Ends it as a service manager does; gives the exit code. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | string> {
    this.life++;
    this.#isUp = false;
    this.#child?.kill(signal);
    return await this.#exited;
  }

  /** Faults of ours are in the log, whether or not a client has seen them. */
  #heed(line: string): void {
    let record: Record<string, unknown>;
    try {
      record = JSON.parse(line);
    } catch {
      return this.#tally.violation(`A line of the log is not JSON: ${line.slice(0, 200)}`);
    }
    this.#tally.count("log lines");
    if (record["event"] === "request") return;
    const told = `${record["message"]} ${record["detail"] ?? ""}`.slice(0, 300);
    if (record["level"] === "info") this.#tally.count(`log: ${told.slice(0, 60)}`);
    else this.#tally.violation(`log ${record["level"]} ${record["event"]}: ${told}`);
  }
}

/**
 * A port that is free, below those that connections are given: else a client's own socket could
 * take it while the server is down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
