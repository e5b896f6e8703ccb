import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AppInfo, RequestInfo } from "../../src/web/home/api.ts";
import {
  activityOf,
  type AgentView,
  matchingApps,
  orderedAgents,
  recentRequests,
} from "../../src/web/home/state.ts";
import { duration, excerptOf, relativeTime } from "../../src/web/home/words.ts";

function appOf(id: string, description: string | null = null): AppInfo {
  return { id, name: id.toUpperCase(), version: "1", description, url: null, problem: null };
}

function requestOf(id: string, change: Partial<RequestInfo> = {}): RequestInfo {
  return {
    id,
    agentId: "main",
    origin: "app:a",
    status: "succeeded",
    type: "ping",
    requestId: null,
    payload: null,
    attempts: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    startedAt: null,
    finishedAt: null,
    result: null,
    ...change,
  };
}

function viewOf(requests: readonly RequestInfo[]): AgentView {
  return {
    agent: { id: "main", problem: null, hasRunner: true, queued: 0, processing: 0 },
    apps: [],
    requests,
    problem: null,
  };
}

describe("matchingApps()", () => {
  const apps = [appOf("ping-card", "Sends a ping"), appOf("notes")];

  it("gives all apps for an empty query", () => {
    assert.equal(matchingApps(apps, "  ").length, 2);
  });

  it("finds every word in name, id or description, whatever its case", () => {
    assert.deepEqual(matchingApps(apps, "CARD sends").map(({ id }) => id), ["ping-card"]);
    assert.deepEqual(matchingApps(apps, "card notes"), []);
  });
});

describe("orderedAgents()", () => {
  it("puts agents with apps before empty ones, each by id", () => {
    const view = (id: string, apps: readonly AppInfo[]): AgentView => {
      const blank = viewOf([]);
      return { ...blank, agent: { ...blank.agent, id }, apps };
    };
    const app = appOf("a");
    const agents = [view("b", []), view("d", [app]), view("a", []), view("c", [app])];
    assert.deepEqual(orderedAgents(agents).map(({ agent }) => agent.id), ["c", "d", "a", "b"]);
  });
});

describe("excerptOf()", () => {
  it("gives short values whole, and nothing for null", () => {
    assert.equal(excerptOf(null), null);
    assert.equal(excerptOf(undefined), null);
    assert.equal(excerptOf({ a: "<b>" }), '{\n  "a": "<b>"\n}');
  });

  it("cuts long values between characters", () => {
    const text = excerptOf("😀".repeat(2_000)) ?? "";
    assert.ok(text.length <= 2_001 && text.endsWith("😀…"), text.slice(-4));
  });
});

describe("recentRequests()", () => {
  it("gives the newest of all agents first", () => {
    const old = requestOf("1");
    const young = requestOf("2", { createdAt: "2026-01-02T00:00:00.000Z" });
    const twin = requestOf("3", { createdAt: "2026-01-02T00:00:00.000Z" });
    const found = recentRequests([viewOf([old]), viewOf([young, twin])]);
    assert.deepEqual(found.map(({ id }) => id), ["3", "2", "1"]);
  });
});

describe("activityOf()", () => {
  it("tells whether a request of the app is under way", () => {
    const done = requestOf("1");
    const queued = requestOf("2", { status: "queued" });
    const working = requestOf("3", { status: "processing" });
    assert.equal(activityOf(viewOf([done]), "a"), null);
    assert.equal(activityOf(viewOf([done, queued]), "a"), "queued");
    assert.equal(activityOf(viewOf([queued, working]), "a"), "processing");
    assert.equal(activityOf(viewOf([working]), "b"), null);
  });
});

describe("relativeTime()", () => {
  const now = Date.parse("2026-01-02T00:00:00.000Z");

  it("says how long ago a time was", () => {
    const ago = (seconds: number) =>
      relativeTime(new Date(now - seconds * 1_000).toISOString(), now);
    assert.equal(ago(1), "just now");
    assert.match(ago(30), /^30 sec/);
    assert.match(ago(120), /^2 min/);
    assert.match(ago(7_200), /^2 h/);
    assert.equal(ago(86_400), "yesterday");
  });

  it("says nothing of a time that is none", () => {
    assert.equal(relativeTime("never", now), "");
  });
});

describe("duration()", () => {
  it("says how long a request took", () => {
    const startedAt = "2026-01-01T00:00:00.000Z";
    const took = (finishedAt: string | null) => duration(requestOf("1", { startedAt, finishedAt }));
    assert.equal(took("2026-01-01T00:00:00.250Z"), "250 ms");
    assert.equal(took("2026-01-01T00:00:01.400Z"), "1.4 s");
    assert.equal(took("2026-01-01T00:02:05.000Z"), "2 min 5 s");
    assert.equal(took(null), null);
    // A clock that jumped back.
    assert.equal(took("2025-01-01T00:00:00.000Z"), null);
  });
});
