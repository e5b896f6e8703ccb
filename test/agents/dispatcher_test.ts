import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { Fault } from "../../src/fault.ts";
import type { MessageOrigin } from "../../src/agents/types.ts";
import { type AgentsUnderTest, openAgents, SUCCEEDED, until } from "./open_agents.ts";
import { newMessage } from "./message_store_contract.ts";

describe("createDispatcher() with a storage that fails", () => {
  it("gives no message to a runner that it could not record, and tries again", async () => {
    const failures = [new Fault("storage_full", "full")];
    const tested = await openAgents({
      wrapStore: (store) => ({
        ...store,
        recordProcess: async (lease, process) => {
          const failure = failures.pop();
          if (failure !== undefined) throw failure;
          await store.recordProcess(lease, process);
        },
      }),
    });
    await tested.giveRunner("main");
    const { messageId } = await tested.agents.enqueue(newMessage());
    await tested.dispatcher.start();
    // The first work ends by itself, as its signal tells it to.
    await until(() => failures.length === 0 && tested.work.length === 1);
    tested.work[0]?.finish(SUCCEEDED);
    await until(async () => (await tested.agents.get("main", messageId)).status === "succeeded");
    assert.equal((await tested.agents.get("main", messageId)).attempts, 1);
    assert.deepEqual(tested.errors.map((error) => (error as Fault).code), ["storage_full"]);
    await tested.close();
  });
});

describe("createDispatcher()", () => {
  let tested: AgentsUnderTest;

  beforeEach(async () => {
    tested = await openAgents({ maxRunning: 4 });
  });
  afterEach(() => tested.close());

  const enqueue = async (agentId = "main", origin: MessageOrigin = "app:card") =>
    (await tested.agents.enqueue(newMessage({ agentId, origin }))).messageId;

  const statusOf = async (id: string) => (await tested.agents.get("main", id)).status;
  const counts = (agentId = "main") => {
    const { queued, processing, succeeded } = tested.agents.counts(agentId);
    return { queued, processing, succeeded };
  };

  async function finishNext(): Promise<string> {
    await until(() => tested.work.length > 0);
    const [item] = tested.work;
    assert(item !== undefined);
    item.finish(SUCCEEDED);
    await until(async () =>
      (await tested.agents.get(item.message.agentId, item.message.id)).status === "succeeded"
    );
    return item.message.id;
  }

  it("start() carries out what waits, and what comes later", async () => {
    await tested.giveRunner("main");
    const ids = [await enqueue()];
    await tested.dispatcher.start();
    assert.equal(await finishNext(), ids[0]);
    ids.push(await enqueue());
    assert.equal(await finishNext(), ids[1]);
    const message = await tested.agents.get("main", ids[1] ?? "");
    assert.equal(message.result?.stdout, "done");
    assert.deepEqual(tested.errors, []);
  });

  it("leaves messages of an agent without a runner, and finds one that it is given", async () => {
    await tested.dispatcher.start();
    const id = await enqueue();
    assert.equal(await statusOf(id), "queued");
    await tested.giveRunner("main");
    assert.equal(await finishNext(), id);
  });

  it("keeps to an agent's concurrency and to the bound of all", async () => {
    await tested.giveRunner("main", 2);
    await tested.giveRunner("b", 9);
    for (let count = 0; count < 5; count++) {
      await enqueue("main");
      await enqueue("b");
    }
    await tested.dispatcher.start();
    await until(() => tested.work.length === 4);
    const byAgent = () => tested.work.map(({ message }) => message.agentId).sort();
    assert.deepEqual(byAgent(), ["b", "b", "main", "main"]);
    tested.work.find(({ message }) => message.agentId === "main")?.finish(SUCCEEDED);
    await until(() => counts("main").succeeded === 1 && tested.work.length === 4);
    assert.equal(tested.dispatcher.running, 4);
    while (counts("main").succeeded + counts("b").succeeded < 10) await finishNext();
    assert.equal(tested.dispatcher.running <= 1, true);
  });

  it("lets no busy app starve another", async () => {
    await tested.giveRunner("main");
    for (let count = 0; count < 20; count++) await enqueue("main", "app:busy");
    const quiet = await enqueue("main", "app:quiet");
    await tested.dispatcher.start();
    const order = [await finishNext(), await finishNext()];
    assert(order.includes(quiet));
  });

  it("cancel() ends the work on a message", async () => {
    await tested.giveRunner("main");
    const id = await enqueue();
    await tested.dispatcher.start();
    await until(() => tested.work.length === 1);
    const [item] = tested.work;
    await tested.agents.cancel("main", id);
    assert.equal(item?.signal.aborted, true);
    await until(() => tested.dispatcher.running === 0);
    assert.equal(await statusOf(id), "cancelled");
    assert.deepEqual(tested.errors, []);
  });

  it("stop() queues what runs again as if it had not been taken", async () => {
    await tested.giveRunner("main");
    const ids = [await enqueue(), await enqueue()];
    await tested.dispatcher.start();
    await until(() => tested.work.length === 1);
    await tested.dispatcher.stop();
    assert.deepEqual(counts(), { queued: 2, processing: 0, succeeded: 0 });
    assert.equal((await tested.agents.get("main", ids[0] ?? "")).attempts, 0);
    tested.dispatcher.wake();
    await enqueue();
    assert.equal(tested.work.length, 0);
  });

  it("start() ends what outlived a crash before it delivers the message again", async () => {
    await tested.giveRunner("main");
    const id = await enqueue();
    for (const attempt of [1, 2, 3]) {
      await tested.dispatcher.start();
      await until(() => tested.work.length === 1);
      assert.equal(tested.work[0]?.message.attempts, attempt);
      const noted = "SELECT count(*) AS n FROM messages WHERE process_pid IS NOT NULL";
      await until(() => tested.database.read((sql) => sql.get(noted))?.n === 1);
      await tested.crash();
    }
    await tested.dispatcher.start();
    const message = await tested.agents.get("main", id);
    assert.equal(message.status, "failed");
    assert.match(message.result?.error ?? "", /Holon ended while/);
    assert.deepEqual(
      tested.survivors,
      [1, 2, 3].map(() => ({
        pid: 4711,
        startTime: `start of ${id}`,
      })),
    );
  });
});
