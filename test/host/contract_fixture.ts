/**
 * Starts the contract server with the runtime that runs the test.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { rawConnect, type RawConnection, type RawTarget } from "../support/raw_http.ts";
import { get, rawRequest } from "../support/raw_http.ts";
import { type RunningScript, startScript } from "../support/runtime.ts";
import { tempDirectory } from "../support/temp_home.ts";
import { until } from "../support/until.ts";

/** What became of a request; see `contract_server.ts`. */
export interface ContractRecord {
  readonly aborted: boolean;
  readonly cancelled: boolean;
  readonly finishes: number;
  readonly outcome: string | null;
  readonly bodyError: string | null;
  readonly pulls: number;
}

/** A contract server under way. */
export interface Contract {
  readonly target: RawTarget;
  readonly socketPath: string;
  readonly folder: string;
  readonly script: RunningScript;
  connect(): Promise<RawConnection>;
  /** The record that a request with `k=key` left. */
  record(key: string): Promise<ContractRecord | null>;
  /** Waits until a record is as wanted. */
  recordWhen(
    key: string,
    condition: (record: ContractRecord) => boolean,
    timeoutMs?: number,
  ): Promise<ContractRecord>;
  process(): Promise<{
    readonly descriptors: number;
    readonly connections: readonly [tcp: number, unix: number];
    readonly errors: readonly string[];
    readonly rss: number;
  }>;
  stop(): Promise<void>;
}

/** Starts a server; limits that are not given keep their defaults. */
export async function startContract(
  limits: Readonly<Record<string, number>> = {},
): Promise<Contract> {
  const temp = tempDirectory();
  const script = startScript(fileURLToPath(new URL("contract_server.ts", import.meta.url)), {
    args: [temp.path],
    env: { HOLON_TEST_LIMITS: JSON.stringify(limits) },
  });
  const [, port] = await script.line(/^listening (\d+)$/);
  const target = { port: Number(port) };
  const record = async (key: string) =>
    (await rawRequest(target, get(`/record?of=${key}`))).json() as ContractRecord | null;
  return {
    target,
    socketPath: `${temp.path}/test.sock`,
    folder: temp.path,
    script,
    connect: () => rawConnect(target),
    record,
    recordWhen: async (key, condition, timeoutMs) => {
      let found: ContractRecord | null = null;
      await until(async () => {
        found = await record(key);
        return found !== null && condition(found);
      }, timeoutMs);
      return found!;
    },
    process: async () => (await rawRequest(target, get("/process"))).json(),
    stop: async () => {
      await script.stop();
      temp.remove();
    },
  };
}
