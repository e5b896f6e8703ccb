/**
 * What is measured, as families of samples. Labels are bounded: routes and statuses are few, and of
 * agents only the first hundred have samples of their own.
 *
 * @module
 */

import type { Agent, MessageStatus, QueueCounts } from "../agents/types.ts";
import type { LiveReload } from "../apps/reload/live_reload.ts";
import type { EventService } from "../events/types.ts";
import type { Host } from "../host/types.ts";
import type { Permits } from "../http/permits.ts";
import { VERSION } from "../version.ts";
import { type Family, histogramSamples, type Labels, type Sample } from "./exposition.ts";
import { DURATION_BUCKETS, type RequestMetrics, type RouteCounts } from "./request_metrics.ts";

/** What is looked at when somebody asks for the figures. */
export interface MetricsSources {
  readonly host: Pick<Host, "clock" | "memory" | "runtime" | "version">;
  readonly requests: RequestMetrics;
  readonly permits: Permits;
  readonly events: Pick<EventService, "lag" | "newest" | "subscriptions">;
  readonly agents: {
    list(): Promise<readonly Agent[]>;
    counts(agentId: string): QueueCounts;
    oldestWaiting(agentId: string): number | null;
  };
  /** Open connections; `null` where there is no listener. */
  readonly connections: (() => number) | null;
  readonly liveReload: Pick<LiveReload, "folders" | "watched">;
  /** Lines that the log had no room for. */
  readonly logDropped: () => number;
  /** When this Holon began, by the monotonic clock. */
  readonly startedMs: number;
}

/** Agents with samples of their own. */
const MAX_AGENTS = 100;

/** The label of all other agents together; no agent can have this id. */
const OTHERS = "(others)";

/** Everything that is measured. */
export async function metricFamilies(sources: MetricsSources): Promise<readonly Family[]> {
  const agents = (await sources.agents.list()).map(({ id }) => id);
  return [
    ...requestFamilies([...sources.requests.routes], sources),
    ...agentFamilies(agents, sources),
    ...processFamilies(sources),
  ];
}

// --- internal ---

function requestFamilies(
  routes: readonly RouteCounts[],
  { requests, permits, events, connections, liveReload }: MetricsSources,
): readonly Family[] {
  return [
    counter(
      "holon_http_requests_total",
      "Requests answered, by route and status.",
      routes.flatMap((counts) =>
        [...counts.byStatus].map(([status, count]): Sample => [
          { ...routeLabels(counts), status: String(status) },
          count,
        ])
      ),
    ),
    counter(
      "holon_http_response_bytes_total",
      "Bytes of responses that the system took, heads included.",
      routes.map((counts) => [routeLabels(counts), counts.bytes]),
    ),
    {
      name: "holon_http_request_duration_seconds",
      type: "histogram",
      help: "From the arrival of a request to the end of its response; event streams left out.",
      samples: routes.filter((counts) => counts.buckets.some((count) => count > 0)).flatMap(
        (counts) =>
          histogramSamples(routeLabels(counts), DURATION_BUCKETS, counts.buckets, counts.seconds),
      ),
    },
    counter(
      "holon_http_refusals_total",
      "Refusals, by machine code.",
      [...requests.refusals].map(([code, count]) => [{ code }, count]),
    ),
    gauge("holon_http_responses_in_progress", "Responses that are being sent.", [
      [{}, requests.inProgress],
    ]),
    gauge(
      "holon_connections",
      "Open connections.",
      connections === null ? [] : [[{}, connections()]],
    ),
    gauge("holon_asset_permits", "Permits to send a file, in all.", [[{}, permits.limit]]),
    gauge("holon_asset_permits_in_use", "Permits to send a file that are taken.", [
      [{}, permits.limit - permits.free],
    ]),
    counter("holon_asset_permits_refused_total", "Times that no permit was free.", [
      [{}, permits.refused],
    ]),
    gauge("holon_event_streams", "Open event streams.", [[{}, events.subscriptions]]),
    gauge("holon_live_reload_apps", "Apps that open pages have watched.", [
      [{}, liveReload.watched],
    ]),
    gauge("holon_live_reload_folders", "Folders of those apps that have a watch of the system.", [
      [{}, liveReload.folders],
    ]),
  ];
}

function agentFamilies(
  ids: readonly string[],
  { agents, events, host }: MetricsSources,
): readonly Family[] {
  const listed = ids.slice(0, MAX_AGENTS);
  const others = ids.slice(MAX_AGENTS);
  const lag = events.lag();
  const now = host.clock.now();
  return [
    gauge("holon_agents", "Agents.", [[{}, ids.length]]),
    gauge("holon_messages", "Messages that are kept, by agent and status.", [
      ...listed.flatMap((agent) => queueSamples(agent, agents.counts(agent))),
      ...(others.length === 0
        ? []
        : queueSamples(OTHERS, sumOf(others.map((id) => agents.counts(id))))),
    ]),
    gauge(
      "holon_message_oldest_waiting_seconds",
      "Age of the message that waits longest; 0 where none waits.",
      listed.map((agent) => {
        const oldest = agents.oldestWaiting(agent);
        return [{ agent }, oldest === null ? 0 : Math.max(0, now - oldest) / 1000];
      }),
    ),
    counter(
      "holon_events_total",
      "Number of the newest event.",
      listed.map((agent) => [{ agent }, events.newest(`agent:${agent}`)]),
    ),
    gauge("holon_event_lag", "Events that wait for the readers of streams.", [[{}, lag.total]]),
    gauge("holon_event_lag_most", "Events that wait for the slowest of those readers.", [
      [{}, lag.most],
    ]),
  ];
}

function processFamilies({ host, logDropped, startedMs }: MetricsSources): readonly Family[] {
  const uptime = (host.clock.monotonic() - startedMs) / 1000;
  return [
    counter("holon_log_dropped_total", "Lines that the log had no room for.", [
      [{}, logDropped()],
    ]),
    gauge("holon_uptime_seconds", "Time since the start.", [[{}, uptime]]),
    gauge("process_resident_memory_bytes", "Memory that the process holds.", [
      [{}, host.memory()],
    ]),
    gauge("holon_build_info", "Version and runtime; always 1.", [
      [{ version: VERSION, runtime: host.runtime, runtime_version: host.version }, 1],
    ]),
  ];
}

function counter(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, type: "counter", help, samples };
}

function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, type: "gauge", help, samples };
}

function routeLabels({ route }: RouteCounts): Labels {
  return route === null
    ? { method: "any", route: "none" }
    : { method: route.method, route: route.path };
}

function queueSamples(agent: string, counts: QueueCounts): readonly Sample[] {
  return Object.entries(counts).map(([status, count]) => [{ agent, status }, count]);
}

function sumOf(all: readonly QueueCounts[]): QueueCounts {
  const sum: Record<MessageStatus, number> = {
    queued: 0,
    processing: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
  };
  for (const counts of all) {
    for (const status of Object.keys(sum) as MessageStatus[]) sum[status] += counts[status];
  }
  return sum;
}
