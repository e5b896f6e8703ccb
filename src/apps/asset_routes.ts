/**
 * An app's files: its entry page at its root, and what lies below.
 *
 * @module
 */

import type { AppSettings } from "../config/settings.ts";
import { Fault } from "../fault.ts";
import type { Clock } from "../host/types.ts";
import { fileResponse } from "../http/file_response.ts";
import { API_HEADERS, jsonResponse } from "../http/json.ts";
import { mediaTypeOf } from "../http/media_types.ts";
import type { Permits } from "../http/permits.ts";
import type { RequestContext, Route } from "../http/route.ts";
import { appHandler } from "./app_handler.ts";
import { assetComponents } from "./asset_path.ts";
import { missingFault } from "./dangling_link.ts";
import { chooseRepresentation, type Representation } from "./representation.ts";
import { SDK_NAMES } from "./sdk_routes.ts";
import { type ServeScript, serveScript } from "./sdk_script.ts";
import { requireStrictType } from "./strict_profile.ts";
import type { App, AppService, PublishedFile } from "./types.ts";

/** What the routes need. */
export interface AssetRouteOptions {
  readonly apps: AppService;
  /** Asked at each request; a response under way keeps what it started with. */
  readonly settings: () => AppSettings;
  readonly permits: Permits;
  readonly clock: Pick<Clock, "now">;
  /** Whether small files may be read at once; asked at each request. */
  readonly blocking: () => boolean;
  /** The SDK as an ES module, `holon.mjs`. */
  readonly sdkModule: string;
}

/** Where the SDK is a module, unless the app has a file of that name itself. */
const MODULE_NAME = "holon.mjs";

/** How often, and after which pause, a file that is being written is looked at again. */
const STEADY_ATTEMPTS = 16;
const STEADY_PAUSE_MS = 5;

/** Makes the routes of lists, entry pages and files. */
export function assetRoutes(options: AssetRouteOptions): readonly Route[] {
  const module = serveScript(options.sdkModule);
  return [
    {
      method: "GET",
      path: "/apps/:agent",
      scope: "app",
      summary: "Lists an agent's sound apps.",
      handler: async ({ params }) => {
        const agentId = params["agent"] ?? "";
        return jsonResponse({ agent_id: agentId, apps: await options.apps.list(agentId) });
      },
    },
    {
      method: "GET",
      path: "/apps/:agent/:app",
      scope: "app",
      summary: "An app's entry page; without the slash at its end a redirect to that address.",
      handler: appHandler(options.apps, async (context, findApp) => {
        const app = await findApp();
        if (!context.target.rawPath.endsWith("/")) return slashRedirect(app, context);
        return await serve(app, assetComponents(app.manifest.entry), context, options);
      }),
    },
    {
      method: "GET",
      path: "/apps/:agent/:app/:path+",
      scope: "app",
      summary: "A file of an app.",
      handler: appHandler(options.apps, async (context, findApp) => {
        const components = assetComponents(context.params["path"] ?? "");
        const app = await findApp();
        const [first = ""] = components;
        // Reached by another spelling than the SDK's own route, e.g. with an escape in it.
        if (components.length === 0 || (components.length === 1 && SDK_NAMES.has(first))) {
          throw missingFault();
        }
        if (components.length > 1 || first !== MODULE_NAME) {
          return await serve(app, components, context, options);
        }
        return await serveModule(app, module, context, options);
      }),
    },
  ];
}

// --- internal ---

/** To the address that relative links of the entry page work from; the query is kept (308). */
function slashRedirect({ agentId, manifest }: App, { target }: RequestContext): Response {
  const query = target.rawQuery === "" ? "" : `?${target.rawQuery}`;
  return new Response(null, {
    status: 308,
    headers: {
      ...API_HEADERS,
      "content-length": "0",
      "location": `/apps/${agentId}/${manifest.id}/${query}`,
    },
  });
}

/**
 * Serves a file as one version: one that is being written is looked at again, for a moment. A file
 * that never rests, such as a log, is served as it is then.
 */
async function serve(
  app: App,
  components: readonly string[],
  context: RequestContext,
  options: AssetRouteOptions,
): Promise<Response> {
  const settings = options.settings();
  for (let attempt = 1;; attempt++) {
    const steady = attempt < STEADY_ATTEMPTS;
    const response = await serveOnce(app, components, context, options, settings, steady);
    if (response !== null) return response;
    await new Promise((resolve) => setTimeout(resolve, STEADY_PAUSE_MS));
  }
}

async function serveOnce(
  app: App,
  components: readonly string[],
  { request, info }: RequestContext,
  options: AssetRouteOptions,
  settings: AppSettings,
  steady: boolean,
): Promise<Response | null> {
  const original = await app.files.open(components);
  try {
    checkFile(original, settings);
  } catch (error) {
    original.file.close();
    throw error;
  }
  const { file, path, coding, varies } = await representationOf(
    app,
    components,
    original,
    request,
    settings,
  );
  return fileResponse(request, {
    file,
    path,
    contentType: mediaTypeOf(original.name),
    coding,
    vary: varies ? ["accept-encoding"] : [],
    ...(settings.csp === null ? {} : { headers: { "content-security-policy": settings.csp } }),
  }, {
    now: options.clock.now(),
    permits: options.permits,
    blocking: options.blocking(),
    steady,
    ended: info?.ended,
  });
}

async function representationOf(
  app: App,
  components: readonly string[],
  original: PublishedFile,
  request: Request,
  settings: AppSettings,
): Promise<Representation> {
  const { file } = original;
  if (!settings.precompressed) {
    return { file, path: components.join("/"), coding: null, varies: false };
  }
  const accepted = request.headers.get("accept-encoding");
  const limit = settings.maxAssetBytes;
  return await chooseRepresentation(app.files, components, original, accepted, limit);
}

function checkFile({ file, name }: PublishedFile, settings: AppSettings): void {
  if (file.stat.size > settings.maxAssetBytes) {
    throw new Fault(
      "app_asset_too_large",
      `The file is larger than ${settings.maxAssetBytes} bytes`,
      { hint: "Raise the limit with `holon config set local_apps.max_asset_bytes <bytes>`." },
    );
  }
  if (settings.typesLimited) requireStrictType(name);
}

async function serveModule(
  app: App,
  module: ServeScript,
  context: RequestContext,
  options: AssetRouteOptions,
): Promise<Response> {
  try {
    return await serve(app, [MODULE_NAME], context, options);
  } catch (error) {
    if (error instanceof Fault && error.code === "not_found") return await module(context.request);
    throw error;
  }
}
