/**
 * `agent.json`: how an agent's messages are carried out.
 *
 * @module
 */

import { z } from "zod";
import type { FileStat } from "../host/types.ts";
import type { RunnerConfig } from "./types.ts";

/** The most that the file may hold, in bytes. */
export const AGENT_CONFIG_BYTES: number = 64 * 1024;

/** What an `agent.json` comes to. */
export interface AgentConfig {
  readonly runner: RunnerConfig | null;
  /** What is wrong with it, as a sentence; the runner is off where it matters. */
  readonly problem: string | null;
}

/** No file: messages wait for a worker. */
export const NO_CONFIG: AgentConfig = { runner: null, problem: null };

const SECONDS = "has to be a number of seconds from 1 to 604800 (7 days)";
const AT_ONCE = "has to be a whole number from 1 to 64";
const COMMAND = "has to be a list of 1 to 256 texts, the program and its arguments, such as " +
  '["node", "runner.js"]';
const WORD = "has to be a text of 1 to 4096 characters";

const RUNNER = z.looseObject({
  command: z.array(
    z.string(WORD).min(1, WORD).max(4096, WORD).regex(/^[^\0]*$/, `${WORD}, none of them NUL`),
    COMMAND,
  ).min(1, COMMAND).max(256, COMMAND),
  timeout_s: z.number(SECONDS).min(1, SECONDS).max(7 * 24 * 3600, SECONDS).default(600),
  concurrency: z.int(AT_ONCE).min(1, AT_ONCE).max(64, AT_ONCE).default(1),
}, 'has to be an object, such as {"command": ["node", "runner.js"]}');
const CONFIG = z.looseObject(
  { runner: RUNNER.optional() },
  'has to be an object, such as {"runner": {"command": ["node", "runner.js"]}}',
);
const KEYS: readonly string[] = ["runner"];
const RUNNER_KEYS: readonly string[] = ["command", "timeout_s", "concurrency"];

/** An `agent.json` that turns the runner off, and why. */
export function configProblem(problem: string): AgentConfig {
  return { runner: null, problem };
}

/**
 * Why a file is not trusted to say which program runs: whoever may write it, or replace it in its
 * directory, could run programs as the person whose home this is.
 *
 * @param owner the user id of the home's owner
 * @param what `"agent.json"` or `"The agent's directory"`
 */
export function distrust(stat: FileStat, owner: number, what: string): string | null {
  if (stat.uid !== owner) {
    return `${what} belongs to another user, so its runner is off: chown it to the home's owner`;
  }
  if ((stat.mode & 0o022) !== 0) {
    return `${what} can be written by other users, so its runner is off: chmod go-w mends it`;
  }
  return null;
}

/** Reads the file's text. Unknown keys are named, and the rest counts all the same. */
export function parseAgentConfig(text: string): AgentConfig {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : "syntax error";
    return configProblem(`agent.json is not valid JSON: ${detail.slice(0, 120)}`);
  }
  const parsed = CONFIG.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const at = issue === undefined || issue.path.length === 0
      ? "agent.json"
      : `agent.json: ${issue.path.join(".")}`;
    return configProblem(`${at} ${issue?.message ?? "is not valid"}`);
  }
  const { runner } = parsed.data;
  const unknown = [
    ...Object.keys(parsed.data).filter((key) => !KEYS.includes(key)),
    ...Object.keys(runner ?? {}).filter((key) => !RUNNER_KEYS.includes(key)).map((key) =>
      `runner.${key}`
    ),
  ];
  return {
    runner: runner === undefined ? null : {
      command: runner.command as [string, ...string[]],
      timeoutSeconds: runner.timeout_s,
      concurrency: runner.concurrency,
    },
    problem: unknown.length === 0
      ? null
      : `agent.json has keys that mean nothing here: ${unknown.slice(0, 5).join(", ")}; ` +
        "runner.command, runner.timeout_s and runner.concurrency do",
  };
}
