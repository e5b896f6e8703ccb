import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChannel } from "../../src/tui/link/channel.ts";

interface Item {
  readonly kind: "event" | "gap" | "key" | "list";
  readonly value: number;
}

const open = (capacity = 3) =>
  createChannel<Item>({
    capacity,
    keyOf: ({ kind }) => kind === "list" || kind === "gap" ? kind : null,
    mayDrop: ({ kind }) => kind === "event",
    onDropped: ({ value }) => ({ kind: "gap", value }),
  });

const item = (kind: Item["kind"], value = 0): Item => ({ kind, value });

describe("createChannel()", () => {
  it("gives all that waits, in order", async () => {
    const channel = open();
    channel.put(item("key", 1));
    channel.put(item("event", 2));
    channel.put(item("key", 3));
    assert.deepEqual((await channel.take()).map((it) => it.value), [1, 2, 3]);
    assert.equal(channel.waiting, 0);
  });

  it("wakes a reader that waits", async () => {
    const channel = open();
    const taken = channel.take();
    channel.put(item("key", 1));
    assert.equal((await taken).length, 1);
    const again = channel.take();
    channel.put(item("key", 2));
    assert.deepEqual((await again).map((it) => it.value), [2]);
  });

  it("lets the later of a kind stand for the earlier ones", async () => {
    const channel = open();
    for (let value = 0; value < 1000; value++) channel.put(item("list", value));
    channel.put(item("key", 1));
    assert.equal(channel.waiting, 2);
    assert.deepEqual(await channel.take(), [item("list", 999), item("key", 1)]);
    channel.put(item("list", 5));
    assert.deepEqual(await channel.take(), [item("list", 5)]);
  });

  it("stays bounded, says what it dropped, and never drops a key", async () => {
    const channel = open(3);
    for (let value = 0; value < 10_000; value++) channel.put(item("event", value));
    for (let value = 0; value < 100; value++) channel.put(item("key", value));
    assert.equal(channel.waiting, 104);
    const taken = await channel.take();
    assert.deepEqual(taken.slice(0, 4), [
      item("event", 0),
      item("event", 1),
      item("event", 2),
      item("gap", 9999),
    ]);
    assert.equal(taken.filter((it) => it.kind === "key").length, 100);
  });

  it("ends its reader when it closes", async () => {
    const channel = open();
    const taken = channel.take();
    channel.close();
    assert.deepEqual(await taken, []);
    channel.put(item("key"));
    assert.deepEqual(await channel.take(), []);
  });
});
