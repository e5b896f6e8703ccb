/** Loads what the page shows, and keeps it up to date. */

import { type AgentInfo, fetchAgents, fetchApps, fetchMe, fetchRequests, signOut } from "./api.ts";
import { ApiError } from "./api_calls.ts";
import { fetchDevices, signOutDevice, signOutOthers } from "./api_devices.ts";
import { followEvents } from "./live.ts";
import { type AgentView, EMPTY_STATE, type HomeState } from "./state.ts";

/** New apps and agents tell no one: they are looked for this often while the page is seen. */
const POLL_MS = 4_000;

/** Events that come together are answered by one look. */
const GATHER_MS = 60;

/** Requests asked for, for each agent. */
const REQUESTS = 30;

/** The page's state and the calls that change it. */
export class HomeModel {
  #state: HomeState = EMPTY_STATE;
  readonly #listeners: Set<() => void> = new Set();
  readonly #stale: Set<string> = new Set();
  #gathering = false;
  /** One look at a time, so that an older answer never replaces a newer one. */
  #last: Promise<void> = Promise.resolve();
  #reloading: Promise<void> | null = null;

  get state(): HomeState {
    return this.#state;
  }

  /** Calls back after each change; returns what stops that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins to load and to follow. */
  start(): void {
    this.reload();
    setInterval(() => document.visibilityState === "visible" && this.#poll(), POLL_MS);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.reload();
    });
    addEventListener("offline", () => this.#set({ connection: "offline" }));
    followEvents({
      onOpen: () => {
        this.#set({ connection: "live" });
        this.reload();
      },
      onDown: () => this.#set({ connection: navigator.onLine ? "reconnecting" : "offline" }),
      onEvent: (agentId) => this.#refresh(agentId),
      onRefused: () => this.#set({ connection: "reconnecting" }),
    });
  }

  /** Changes the text that apps are searched for. */
  search(query: string): void {
    this.#set({ query });
  }

  /** Ends the session and goes to the sign-in page. */
  async signOut(): Promise<void> {
    await this.#run(signOut);
    location.assign("/sign-in");
  }

  /** Signs another device out, or all others for `null`. */
  signOutOther(id: string | null): Promise<void> {
    return this.#run(async () => {
      await (id === null ? signOutOthers() : signOutDevice(id));
      this.#set({ devices: await fetchDevices(), problem: null });
    });
  }

  /** Loads everything anew; calls that come before it has begun share it. */
  reload(): Promise<void> {
    this.#reloading ??= this.#run(() => {
      this.#reloading = null;
      return this.#load();
    });
    return this.#reloading;
  }

  /** Looks for new apps and agents; requests are told of by events, unless those don't come. */
  #poll(): void {
    if (this.#state.connection !== "live") this.reload();
    else this.#run(() => this.#load(this.#state.agents ?? []));
  }

  /** @param known agents whose requests need no look */
  async #load(known: readonly AgentView[] = []): Promise<void> {
    const [{ session, isOwner }, agents] = await Promise.all([fetchMe(), fetchAgents()]);
    const devices = isOwner ? await fetchDevices() : [];
    const views = await Promise.all(
      agents.map((agent) => this.#view(agent, known.find((view) => view.agent.id === agent.id))),
    );
    this.#set({ agents: views, session, isOwner, devices, problem: null });
  }

  async #view(agent: AgentInfo, known: AgentView | undefined): Promise<AgentView> {
    try {
      const [apps, requests] = await Promise.all([
        fetchApps(agent.id),
        known?.problem === null ? known.requests : fetchRequests(agent.id, REQUESTS),
      ]);
      return { agent, apps, requests, problem: null };
    } catch (error) {
      if (error instanceof ApiError && (error.status === 0 || error.status === 401)) throw error;
      return { agent, apps: [], requests: [], problem: (error as Error).message };
    }
  }

  /** Looks at one agent's requests again, soon. */
  #refresh(agentId: string): void {
    this.#stale.add(agentId);
    if (this.#gathering) return;
    this.#gathering = true;
    setTimeout(() => {
      const ids = [...this.#stale];
      this.#stale.clear();
      this.#gathering = false;
      this.#run(() => this.#refreshNow(ids));
    }, GATHER_MS);
  }

  async #refreshNow(ids: readonly string[]): Promise<void> {
    const known = new Set(this.#state.agents?.map(({ agent }) => agent.id));
    if (ids.some((id) => !known.has(id))) return this.#load();
    const [agents, ...lists] = await Promise.all([
      fetchAgents(),
      ...ids.map((id) => fetchRequests(id, REQUESTS)),
    ]);
    const views = (this.#state.agents ?? []).map((view) => ({
      ...view,
      agent: agents.find(({ id }) => id === view.agent.id) ?? view.agent,
      requests: lists[ids.indexOf(view.agent.id)] ?? view.requests,
    }));
    this.#set({ agents: views });
  }

  #run(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(() => this.#attempt(work));
    return this.#last;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { message, status } = error as ApiError;
      if (status === 401) this.#set({ ...EMPTY_STATE, session: "signed_out" });
      else this.#set({ problem: message });
    }
  }

  #set(change: Partial<HomeState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
