/**
 * The composition root: config, host and store become services, and services a fetch handler. The
 * only file that wires.
 *
 * @module
 */

import { createAgentDirectory } from "./agents/agent_directory.ts";
import { createDispatcher } from "./agents/dispatcher.ts";
import { createProcessRunner } from "./agents/process_runner.ts";
import { agentRoutes } from "./agents/routes.ts";
import { runnerBaseEnvironment } from "./agents/runner_message.ts";
import { type Agents, createAgentService } from "./agents/service.ts";
import { createSqliteMessageStore } from "./agents/store_sqlite.ts";
import { endSurvivor } from "./agents/survivors.ts";
import { appRoutes } from "./apps/routes.ts";
import { createIsolationHeaders } from "./apps/isolation.ts";
import { createLiveReload } from "./apps/reload/live_reload.ts";
import { LIVE_SDK_MODULE, LIVE_SDK_SCRIPT, SDK_MODULE, SDK_SCRIPT } from "./apps/sdk_built.ts";
import { createAppService } from "./apps/service.ts";
import { isSecure } from "./auth/secure.ts";
import { createAuth } from "./auth/service.ts";
import { tokenProblem } from "./config/access_rule.ts";
import { configRoutes, type RuntimeControl } from "./config/routes.ts";
import { createConfigService } from "./config/service.ts";
import { sessionProblem, sessionRulesOf } from "./config/session_rule.ts";
import { effectiveAppSettings, type Settings } from "./config/settings.ts";
import { canonicalHost } from "./config/value_rules.ts";
import { eventRoutes } from "./events/routes.ts";
import { createEventService } from "./events/service.ts";
import { createSqliteEventStore } from "./events/store_sqlite.ts";
import type { EventService } from "./events/types.ts";
import { withHandshake } from "./handshake/routes.ts";
import type { ConnectionInfo, Host, RefusedRequest } from "./host/types.ts";
import { createPermits } from "./http/permits.ts";
import { createPipeline } from "./http/pipeline.ts";
import { createRequestIds } from "./http/request_id.ts";
import type { Route } from "./http/route.ts";
import { createRouter } from "./http/router.ts";
import { createStreamBound } from "./http/stream_bound.ts";
import { createRequestMetrics } from "./observe/request_metrics.ts";
import { createRefusalObserver } from "./observe/refused_requests.ts";
import { createRequestObserver } from "./observe/requests.ts";
import { metricsRoutes } from "./observe/routes.ts";
import type { Logger, RequestRecord } from "./observe/types.ts";
import { withDomain } from "./origins/rule.ts";
import { createOwnOrigins } from "./origins/service.ts";
import { createSqliteOriginStore } from "./origins/store_sqlite.ts";
import { withReference } from "./reference/routes.ts";
import { openHomeDatabase } from "./store/open_home_database.ts";
import type { Database } from "./store/types.ts";
import { renderErrorPage } from "./web/error_page.ts";
import { webRoutes } from "./web/routes.ts";

/** What {@linkcode createHolon} works with. */
export interface HolonOptions {
  readonly host: Host;
  /** The home's canonical path; it exists, and the caller holds its lock. */
  readonly home: string;
  /** The server's token; `null` lets this machine's own loopback clients in without one. */
  readonly token: string | null;
  /** A host that it answers to besides loopback ones and those of the settings. */
  readonly advertisedHost?: string | null;
  /** The environment that runners get their PATH and the like from; by default nothing. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The running server, for the control API; `null` when Holon is embedded. */
  readonly runtime?: RuntimeControl | null;
  /** Told, as a sentence, of what an operator should know. */
  readonly onNotice?: (sentence: string) => void;
  /** Told of faults of ours, with the id that the request has in the log, where there is one. */
  readonly onError?: (error: unknown, requestId?: string) => void;
  /** Told of each answered request, with how many lines it had no room for. */
  readonly log?: Pick<Logger, "request"> & { readonly dropped: number };
  /** Counts open connections, for the metrics. */
  readonly connections?: () => number;
}

/** A Holon that serves a home. */
export interface Holon {
  /** Every route, in the order in which they are tried. */
  readonly routes: readonly Route[];
  /** Answers a request; without `info` the sender is an untrusted peer. Never throws. */
  fetch(request: Request, info?: ConnectionInfo): Promise<Response>;
  /** Logs and counts what a listener has refused by itself. */
  onRefused(refused: RefusedRequest): void;
  /** Ends streams and runners, finishes writes, closes the database. */
  close(): Promise<void>;
}

/**
 * Opens a home and gives the handler over it.
 *
 * @throws {Fault} `bad_request` for an unsound configuration
 * @throws {HomeError} when the home can't be used
 */
export async function createHolon(options: HolonOptions): Promise<Holon> {
  const { host, home, token } = options;
  const { files, clock } = host;
  const onError = options.onError ?? (() => {});
  const config = await createConfigService({
    files,
    home,
    accept: (snapshot) => tokenProblem(snapshot, token !== null) ?? sessionProblem(snapshot),
  });
  const settings = () => config.current().settings;
  files.blocking = settings().server.blocking_files;

  let closing = false;
  const { database, notice } = openHomeDatabase({ home, now: clock.now, onError });
  if (notice !== null) options.onNotice?.(notice);
  const events = createEventService({
    store: createSqliteEventStore(database),
    clock,
    window: () => settings().events.window,
  });
  const { agents, start: startAgents, stop: stopAgents } = createAgents({
    options,
    database,
    events,
    settings,
  });
  const apps = createAppService({
    files,
    clock,
    agentsFolder: `${home}/agents`,
    manifestRequired: () => effectiveAppSettings(config.current()).manifestRequired,
  });
  const liveReload = createLiveReload({ files, clock, agentsFolder: `${home}/agents`, onError });
  config.subscribe(({ settings }) => {
    if (settings.local_apps.live_reload === "off") liveReload.end();
  });
  const auth = await createAuth({
    database,
    clock,
    token,
    sessionRules: () => sessionRulesOf(settings()),
    isSecure: (client) => isSecure(client, options.runtime?.status().advertise_url ?? null),
    reach: () => options.runtime?.status() ?? null,
    onNotice: options.onNotice ?? (() => {}),
  });
  const { advertisedHost = null } = options;
  const advertised = advertisedHost === null ? [] : [canonicalHost(advertisedHost)];
  const permits = createPermits();
  const requests = createRequestMetrics();
  const originRule = () => ({
    apps: settings().local_apps.own_origin,
    domain: settings().local_apps.origin_domain,
  });
  const boundStreams = createStreamBound();
  const ofApps = boundStreams(appRoutes({
    apps,
    agents,
    events,
    clock,
    permits,
    settings: () => effectiveAppSettings(config.current()),
    blocking: () => files.blocking,
    sdkScript: SDK_SCRIPT,
    sdkModule: SDK_MODULE,
    liveSdkScript: LIVE_SDK_SCRIPT,
    liveSdkModule: LIVE_SDK_MODULE,
    liveReload,
    liveReloadMode: () => settings().local_apps.live_reload,
  }));
  const origins = createOwnOrigins(ofApps, {
    files,
    clock,
    home,
    store: createSqliteOriginStore(database),
    apps,
    credentials: auth.credentials,
    tokenDigest: auth.tokenDigest,
    rule: originRule,
  });
  const routes = withReference(
    withHandshake([
      ...origins.routes,
      ...boundStreams(agentRoutes({ agents, events, listApps: apps.inspect })),
      ...auth.routes,
      ...boundStreams(eventRoutes({ events })),
      ...configRoutes({ config, runtime: options.runtime ?? null }),
      ...metricsRoutes({
        host,
        requests,
        permits,
        events,
        agents,
        connections: options.connections ?? null,
        liveReload,
        logDropped: () => options.log?.dropped ?? 0,
        startedMs: clock.monotonic(),
      }),
      ...webRoutes(),
    ], {
      home,
      tokenRequired: token !== null,
      defaultAgent: () => settings().agents.default,
      reach: () => options.runtime?.status() ?? null,
    }),
    { tokenRequired: token !== null },
  );
  const requestId = createRequestIds();
  const onRequest = (record: RequestRecord) => options.log?.request(record);
  const pipeline = createPipeline({
    policy: () => ({
      allowedHosts: [
        ...withDomain(settings().server.allowed_hosts, originRule()),
        ...advertised,
      ],
      trustedOrigins: settings().server.trusted_origins,
      trustedProxies: settings().server.trusted_proxies,
    }),
    findSite: origins.findSite,
    authenticate: auth.authenticate,
    dispatch: createRouter(routes),
    renderPage: renderErrorPage,
    headersBeside: createIsolationHeaders({ apps, appAt: origins.appAt }),
    onUnexpected: onError,
    requestId,
    isClosing: () => closing,
    monotonic: clock.monotonic,
    onResponse: createRequestObserver({ clock, metrics: requests, onRequest }),
  });
  try {
    await startAgents();
  } catch (error) {
    await database.close();
    throw error;
  }

  return {
    routes,
    fetch: (request, info) => pipeline(request, info ?? null),
    onRefused: createRefusalObserver({ metrics: requests, onRequest, requestId }),
    async close() {
      if (closing) return;
      closing = true;
      events.close();
      liveReload.end();
      await stopAgents();
      await database.close();
    },
  };
}

// --- internal ---

interface AgentParts {
  readonly options: HolonOptions;
  readonly database: Database;
  readonly events: EventService;
  readonly settings: () => Settings;
}

/** Agents need more wiring than the rest: queue, runners, and what outlived the last run. */
function createAgents({ options, database, events, settings }: AgentParts): RunningAgents {
  const { host, home, environment = {}, onError = () => {} } = options;
  const { clock, files, processes } = host;
  const directory = createAgentDirectory(home, files, clock.now);
  const store = createSqliteMessageStore({
    database,
    events,
    now: clock.now,
    retention: () => ({
      days: settings().messages.keep_days,
      count: settings().messages.keep_count,
    }),
  });
  const dispatcher = createDispatcher({
    store,
    directory,
    runnerFor: ({ id, runner }) =>
      createProcessRunner({
        processes,
        config: runner,
        cwd: directory.pathOf(id),
        environment: runnerBaseEnvironment(environment),
      }),
    endSurvivor: (recorded) => endSurvivor(processes, recorded),
    onError,
  });
  const agents = createAgentService({ directory, store, clock, dispatcher, onError });
  return {
    agents,
    async start() {
      await dispatcher.start();
      await agents.start();
    },
    async stop() {
      agents.close();
      await dispatcher.stop();
    },
  };
}

interface RunningAgents {
  readonly agents: Agents;
  start(): Promise<void>;
  stop(): Promise<void>;
}
