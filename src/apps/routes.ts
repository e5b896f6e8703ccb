/**
 * Every route below `/apps`, and live reload beside them.
 *
 * @module
 */

import type { Route } from "../http/route.ts";
import { type AssetRouteOptions, assetRoutes } from "./asset_routes.ts";
import { reloadRoutes } from "./reload/routes.ts";
import { type SdkRouteOptions, sdkRoutes } from "./sdk_routes.ts";

/** What the routes of apps need. */
export type AppRouteOptions = AssetRouteOptions & SdkRouteOptions;

/** Makes the routes; the SDK's come first, so that their names shadow files. */
export function appRoutes(options: AppRouteOptions): readonly Route[] {
  return [...sdkRoutes(options), ...assetRoutes(options), ...reloadRoutes(options)];
}
