/**
 * An app's files: its entry page at its root, and what lies below.
 *
 * @module
 */

import type { LiveReloadMode } from "../config/settings.ts";
import { Fault } from "../fault.ts";
import { API_HEADERS, jsonResponse } from "../http/json.ts";
import type { RequestContext, Route } from "../http/route.ts";
import { appHandler } from "./app_handler.ts";
import { assetComponents } from "./asset_path.ts";
import { missingFault } from "./dangling_link.ts";
import { FALLBACK_VARY, fallbackFor } from "./fallback.ts";
import { ASSET_REFERENCE } from "./refusals.ts";
import { isLive } from "./reload/reload_policy.ts";
import { SDK_NAMES } from "./sdk_routes.ts";
import { type ServeScript, serveScript } from "./sdk_script.ts";
import { type AssetOptions, serveAsset } from "./serve_asset.ts";
import type { App, AppService } from "./types.ts";
import { appListAnswer } from "./wire.ts";

/** What the routes need. */
export interface AssetRouteOptions extends AssetOptions {
  readonly apps: AppService;
  /** The SDK as an ES module, `holon.mjs`. */
  readonly sdkModule: string;
  /** The same with live reload. */
  readonly liveSdkModule: string;
  /** Asked at each request. */
  readonly liveReloadMode: () => LiveReloadMode;
}

/** Where the SDK is a module, unless the app has a file of that name itself. */
const MODULE_NAME = "holon.mjs";

/** Makes the routes of lists, entry pages and files. */
export function assetRoutes(options: AssetRouteOptions): readonly Route[] {
  const module = serveScript(options.sdkModule);
  const liveModule = serveScript(options.liveSdkModule);
  const apps = { require: options.apps.requireForFiles };

  async function servePath(app: App, components: readonly string[], context: RequestContext) {
    const [first = ""] = components;
    // Reached by another spelling than the SDK's own route, e.g. with an escape in it.
    if (components.length === 0 || (components.length === 1 && SDK_NAMES.has(first))) {
      throw missingFault();
    }
    if (components.length > 1 || first !== MODULE_NAME) {
      return await serveAsset(app, components, context, options);
    }
    const isLiveHere = isLive(options.liveReloadMode(), context);
    return await serveModule(app, isLiveHere ? liveModule : module, context, options);
  }

  return [
    {
      method: "GET",
      path: "/apps/:agent",
      scope: "read",
      summary: "Lists an agent's sound apps.",
      response: appListAnswer,
      refusals: ["app_host_error", "service_unavailable"],
      handler: async ({ params }) => {
        const agentId = params["agent"] ?? "";
        return jsonResponse({ agent_id: agentId, apps: await options.apps.list(agentId) });
      },
    },
    {
      method: "GET",
      path: "/apps/:agent/:app",
      scope: "read",
      summary: "An app's entry page; without the slash at its end a redirect to that address.",
      ...ASSET_REFERENCE,
      statuses: { ...ASSET_REFERENCE.statuses, 308: "The same address with a slash at its end." },
      responseHeaders: [...ASSET_REFERENCE.responseHeaders, "Location"],
      handler: appHandler(apps, async (context, findApp) => {
        const app = await findApp();
        if (!context.target.rawPath.endsWith("/")) return slashRedirect(app, context);
        return await serveAsset(app, assetComponents(app.manifest.entry), context, options);
      }),
    },
    {
      method: "GET",
      path: "/apps/:agent/:app/:path+",
      scope: "read",
      summary: "A file of an app.",
      ...ASSET_REFERENCE,
      handler: appHandler(apps, async (context, findApp) => {
        const components = assetComponents(context.params["path"] ?? "");
        const app = await findApp();
        try {
          return await servePath(app, components, context);
        } catch (error) {
          const page = fallbackFor(app.manifest, components, context.request, error);
          if (page === null) throw error;
          return await serveAsset(app, assetComponents(page), context, options, FALLBACK_VARY);
        }
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

async function serveModule(
  app: App,
  module: ServeScript,
  context: RequestContext,
  options: AssetRouteOptions,
): Promise<Response> {
  try {
    return await serveAsset(app, [MODULE_NAME], context, options);
  } catch (error) {
    if (error instanceof Fault && error.code === "not_found") return await module(context.request);
    throw error;
  }
}
