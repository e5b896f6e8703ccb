/**
 * Hands waiting messages to the runners of their agents.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { AgentDirectory } from "./agent_directory.ts";
import type { Runner, RunnerOutcome } from "./runner.ts";
import { noOutput } from "./message_result.ts";
import type { HeldMessage, MessageStore, RecordedProcess, Settlement } from "./store.ts";
import type { Agent, Lease, RunnerConfig } from "./types.ts";

/** An agent that has a runner. */
export interface RunnableAgent extends Agent {
  readonly runner: RunnerConfig;
}

/** What the dispatcher works with. */
export interface DispatcherOptions {
  readonly store: MessageStore;
  readonly directory: Pick<AgentDirectory, "find">;
  readonly runnerFor: (agent: RunnableAgent) => Runner;
  /** Ends a process of an earlier run, if it still runs. */
  readonly endSurvivor: (process: RecordedProcess) => Promise<boolean>;
  /** Messages that are carried out at once, all agents together. */
  readonly maxRunning?: number;
  /** How often to look whether an agent with waiting messages was given a runner, in ms. */
  readonly sweepMs?: number;
  /** Told of failures that have no caller. */
  readonly onError: (error: unknown) => void;
}

/** Carries out the messages of all agents. */
export interface Dispatcher {
  /**
   * Ends what outlived an earlier run, queues its messages again (or fails them, after the last
   * attempt), and begins to take messages.
   */
  start(): Promise<void>;
  /** Says that messages may be waiting. */
  wake(): void;
  /** Ends the work on a message that was cancelled. */
  cancel(messageId: string): void;
  /** Messages that are carried out now. */
  readonly running: number;
  /**
   * Takes no more messages, ends what runs, and queues those messages again as if they had not been
   * taken. Takes as long as the runners' grace and a second.
   */
  stop(): Promise<void>;
}

interface Job {
  readonly agentId: string;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

const MAX_RUNNING = 16;
const SWEEP_MS = 2000;

/** Pauses between tries to store an outcome while the storage is full or away, in ms. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000];

/** Makes a dispatcher; it does nothing before it is started. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, directory, runnerFor, endSurvivor, onError } = options;
  const { maxRunning = MAX_RUNNING, sweepMs = SWEEP_MS } = options;
  const jobs = new Map<string, Job>();
  const stopping = new AbortController();
  let started = false;
  let round: Promise<void> | undefined;
  let again = false;
  let lastAgent = "";
  let sweep: ReturnType<typeof setInterval> | undefined;

  const isOff = () => !started || stopping.signal.aborted;

  function wake(): void {
    again = true;
    if (isOff() || round !== undefined) return;
    round = takeRounds().catch(onError).finally(() => {
      round = undefined;
      // A call that came in after the last look at the queue.
      if (again && jobs.size < maxRunning) wake();
    });
  }

  /** One message for each agent in turn, round after round, until none can be taken. */
  async function takeRounds(): Promise<void> {
    while (again && !isOff()) {
      again = false;
      for (const agentId of inTurn(await store.waiting(), lastAgent)) {
        if (isOff() || jobs.size >= maxRunning) return;
        if (!await takeOne(agentId)) continue;
        lastAgent = agentId;
        again = true;
      }
    }
  }

  async function takeOne(agentId: string): Promise<boolean> {
    const agent = await directory.find(agentId);
    if (agent === undefined || !isRunnable(agent)) return false;
    const busy = [...jobs.values()].filter((job) => job.agentId === agentId).length;
    if (busy >= agent.runner.concurrency) return false;
    const take = { agentId, holder: "runner", limit: 1, leaseMs: null, worker: null } as const;
    const [message] = await store.take(take);
    if (message === undefined) return false;
    const abort = new AbortController();
    if (stopping.signal.aborted) abort.abort();
    const done = carryOut(message, agent, abort).catch(onError).finally(() => {
      jobs.delete(message.id);
      wake();
    });
    jobs.set(message.id, { agentId, abort, done });
    return true;
  }

  async function carryOut(
    message: HeldMessage,
    agent: RunnableAgent,
    abort: AbortController,
  ): Promise<void> {
    const lease = { agentId: agent.id, messageId: message.id, leaseId: message.leaseId };
    let outcome: RunnerOutcome = { status: "aborted" };
    const unrecorded = (error: unknown) => {
      onError(error);
      // After a crash nobody would know of it, so it gets no message.
      abort.abort();
    };
    for await (const event of runnerFor(agent).start(message, abort.signal)) {
      if (event.kind === "finished") outcome = event.outcome;
      else await store.recordProcess(lease, event.process).catch(unrecorded);
    }
    await putDown(lease, outcome.status === "aborted" ? { status: "returned" } : outcome);
  }

  /** Stores an outcome. What was done must not be done again only because the disk is full. */
  async function putDown(lease: Lease, settlement: Settlement): Promise<void> {
    for (let attempt = 0;; attempt++) {
      try {
        await store.settle(lease, settlement);
        return;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        // Cancelled, or not ours any more: whoever did that has said so.
        if (error.status < 500) return;
        onError(error);
        if (stopping.signal.aborted) return;
        await pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0, stopping.signal);
      }
    }
  }

  async function recover(message: HeldMessage): Promise<void> {
    if (message.process !== null) await endSurvivor(message.process);
    const lease = { agentId: message.agentId, messageId: message.id, leaseId: message.leaseId };
    const error = "Holon ended while the runner was at work";
    await store.settle(lease, { status: "retry", result: noOutput(error) });
  }

  return {
    async start() {
      const held = await store.held();
      await Promise.all(held.filter(({ holder }) => holder === "runner").map(recover));
      if (stopping.signal.aborted) return;
      started = true;
      sweep = setInterval(wake, sweepMs);
      wake();
    },
    wake,
    cancel: (messageId) => jobs.get(messageId)?.abort.abort(),
    get running() {
      return jobs.size;
    },
    async stop() {
      stopping.abort();
      clearInterval(sweep);
      for (const job of jobs.values()) job.abort.abort();
      await round;
      await Promise.all([...jobs.values()].map(({ done }) => done));
    },
  };
}

function isRunnable(agent: Agent): agent is RunnableAgent {
  return agent.runner !== null;
}

/** The agents after the last one that was served first. */
function inTurn(agentIds: readonly string[], last: string): readonly string[] {
  const next = agentIds.filter((agentId) => agentId > last);
  return [...next, ...agentIds.filter((agentId) => agentId <= last)];
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
