/**
 * Agents wired up for tests: a home with the agent `main`, a fake clock, and runners by hand.
 *
 * @module
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AgentDirectory, createAgentDirectory } from "../../src/agents/agent_directory.ts";
import { createDispatcher, type Dispatcher } from "../../src/agents/dispatcher.ts";
import type { Runner, RunnerEvent, RunnerOutcome } from "../../src/agents/runner.ts";
import { type Agents, createAgentService } from "../../src/agents/service.ts";
import type { MessageStore, RecordedProcess } from "../../src/agents/store.ts";
import { createSqliteMessageStore, QUEUE_LIMITS } from "../../src/agents/store_sqlite.ts";
import type { Message } from "../../src/agents/types.ts";
import { createEventService } from "../../src/events/service.ts";
import { createSqliteEventStore } from "../../src/events/store_sqlite.ts";
import type { EventService } from "../../src/events/types.ts";
import { createHost } from "../../src/host/current.ts";
import { openHomeDatabase } from "../../src/store/open_home_database.ts";
import type { SqliteDatabase } from "../../src/store/sqlite_database.ts";
import { type FakeClock, fakeClock } from "../support/fake_host.ts";
import { tempDirectory } from "../support/temp_home.ts";

/** A message that a fake runner works on. */
export interface Work {
  readonly message: Message;
  readonly signal: AbortSignal;
  finish(outcome: RunnerOutcome): void;
}

/** What came of a message that succeeded. */
export const SUCCEEDED: RunnerOutcome = {
  status: "succeeded",
  result: { exitCode: 0, error: null, stdout: "done", stderr: "", truncated: false },
};

/** Everything, for one test. */
export interface AgentsUnderTest {
  readonly home: string;
  readonly clock: FakeClock;
  readonly directory: AgentDirectory;
  readonly events: EventService;
  readonly survivors: readonly RecordedProcess[];
  /** What fake runners work on, oldest first; finished work leaves it. */
  readonly work: Work[];
  readonly errors: unknown[];
  agents: Agents;
  dispatcher: Dispatcher;
  database: SqliteDatabase;
  /** Gives an agent a runner; the command is never run. */
  giveRunner(agentId: string, concurrency?: number): Promise<void>;
  /** As after a crash: nothing is settled, and the same home is opened again. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** What a test may set. */
export interface OpenAgentsOptions {
  readonly maxRunning?: number;
  /** Changes the store that the dispatcher gets. */
  readonly wrapStore?: (store: MessageStore) => MessageStore;
}

/** Opens a home with the agent `main`, without a runner. Nothing is started. */
export async function openAgents(options: OpenAgentsOptions = {}): Promise<AgentsUnderTest> {
  const { wrapStore = (store) => store, ...bounds } = options;
  const temporary = tempDirectory();
  const home = temporary.path;
  const clock = fakeClock();
  const { files } = createHost();
  const directory = createAgentDirectory(home, files, Date.now);
  await directory.create("main");
  const work: Work[] = [];
  const survivors: RecordedProcess[] = [];
  const errors: unknown[] = [];

  function wire() {
    const { database } = openHomeDatabase({ home, now: clock.now });
    const events = createEventService({
      store: createSqliteEventStore(database),
      clock,
      window: () => 10_000,
    });
    const store = createSqliteMessageStore({
      database,
      events,
      now: clock.now,
      limits: { ...QUEUE_LIMITS, appMessages: 20 },
      retention: () => ({ days: 30, count: 10_000 }),
    });
    const onError = (error: unknown) => void errors.push(error);
    const dispatcher = createDispatcher({
      store: wrapStore(store),
      directory,
      runnerFor: () => fakeRunner(work),
      endSurvivor: (process) => {
        survivors.push(process);
        return Promise.resolve(true);
      },
      sweepMs: 20,
      onError,
      ...bounds,
    });
    const agents = createAgentService({ directory, store, clock, dispatcher, onError });
    return { database, events, dispatcher, agents };
  }

  const tested: AgentsUnderTest = {
    home,
    clock,
    directory,
    survivors,
    work,
    errors,
    ...wire(),
    async giveRunner(agentId, concurrency = 1) {
      await directory.create(agentId);
      const text = JSON.stringify({ runner: { command: ["fake"], concurrency } });
      writeFileSync(join(home, "agents", agentId, "agent.json"), text, { mode: 0o600 });
    },
    async crash() {
      tested.agents.close();
      await tested.database.close(); // What still runs finds the store closed.
      const left = work.splice(0);
      for (const { finish } of left) finish({ status: "aborted" });
      await tested.dispatcher.stop();
      Object.assign(tested, wire());
    },
    async close() {
      await tested.dispatcher.stop();
      tested.agents.close();
      await tested.database.close();
      temporary.remove();
    },
  };
  return tested;
}

function fakeRunner(work: Work[]): Runner {
  return {
    async *start(message, signal): AsyncGenerator<RunnerEvent> {
      const outcome = new Promise<RunnerOutcome>((resolve) => {
        const item: Work = {
          message,
          signal,
          finish(outcome) {
            const index = work.indexOf(item);
            if (index >= 0) work.splice(index, 1);
            resolve(outcome);
          },
        };
        signal.addEventListener("abort", () => item.finish({ status: "aborted" }));
        if (signal.aborted) resolve({ status: "aborted" });
        else work.push(item);
      });
      yield { kind: "started", process: { pid: 4711, startTime: `start of ${message.id}` } };
      yield { kind: "finished", outcome: await outcome };
    },
  };
}

/** Waits for a condition. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!await condition()) await sleep(2);
}
