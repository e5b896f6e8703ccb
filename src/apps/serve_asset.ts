/**
 * Answers with one file of an app.
 *
 * @module
 */

import type { AppSettings } from "../config/settings.ts";
import { Fault } from "../fault.ts";
import type { Awaitable, Clock, OpenedFile } from "../host/types.ts";
import { fileResponse } from "../http/file_response.ts";
import { mediaTypeOf } from "../http/media_types.ts";
import type { Permits } from "../http/permits.ts";
import type { RequestContext } from "../http/route.ts";
import { chooseRepresentation, type Representation } from "./representation.ts";
import { requireStrictType } from "./strict_profile.ts";
import type { App, PublishedFile } from "./types.ts";

/** What it takes to send files. */
export interface AssetOptions {
  /** Asked at each request; a response under way keeps what it started with. */
  readonly settings: () => AppSettings;
  readonly permits: Permits;
  readonly clock: Pick<Clock, "now">;
  /** Whether small files may be read at once; asked at each request. */
  readonly blocking: () => boolean;
}

/** How often a file that is being written is looked at again: for half a second in all. */
const STEADY_ATTEMPTS = 24;

/** The pause after a look: longer each time, and never in step with whoever writes. */
function steadyPauseMs(attempt: number): number {
  return (3 + attempt * 1.5) * (0.5 + Math.random());
}

/**
 * Serves a file as one version: one that is being written is looked at again, for a moment. A file
 * that never rests, such as a log, is served as it is then.
 */
export async function serveAsset(
  app: App,
  components: readonly string[],
  context: RequestContext,
  options: AssetOptions,
  vary: readonly string[] = [],
): Promise<Response> {
  const settings = options.settings();
  for (let attempt = 1;; attempt++) {
    const steady = attempt < STEADY_ATTEMPTS;
    const response = await serveOnce(app, components, context, options, {
      settings,
      again: attempt > 1,
      steady,
      vary,
    });
    if (response !== null) return response;
    await new Promise((resolve) => setTimeout(resolve, steadyPauseMs(attempt)));
  }
}

// --- internal ---

/** What holds for one look at a file. */
interface Attempt {
  readonly settings: AppSettings;
  /** Whether the file was being written at the look before. */
  readonly again: boolean;
  /** Whether to give `null` rather than a file that is being written. */
  readonly steady: boolean;
  /** Names of the request headers that led to this file. */
  readonly vary: readonly string[];
}

async function serveOnce(
  app: App,
  components: readonly string[],
  { request, info }: RequestContext,
  options: AssetOptions,
  { settings, again, steady, vary }: Attempt,
): Promise<Response | null> {
  const original = await app.files.open(components, again);
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
  if (again) lookAgain(file, original.name, settings);
  return fileResponse(request, {
    file,
    path,
    contentType: mediaTypeOf(original.name),
    coding,
    vary: varies ? [...vary, "accept-encoding"] : vary,
    ...(settings.csp === null ? {} : { headers: { "content-security-policy": settings.csp } }),
  }, {
    now: options.clock.now(),
    permits: options.permits,
    blocking: options.blocking(),
    steady,
    ended: info?.ended,
    sentByListener: info?.sendsFiles,
  });
}

/**
 * Takes the size right before the bytes are read: on a busy machine more time passes since the file
 * was opened than a writer rests.
 */
function lookAgain(file: OpenedFile, name: string, settings: AppSettings): void {
  try {
    file.refresh();
    checkFile({ file, name }, settings);
  } catch (error) {
    file.close();
    throw error;
  }
}

function representationOf(
  app: App,
  components: readonly string[],
  original: PublishedFile,
  request: Request,
  settings: AppSettings,
): Awaitable<Representation> {
  const { file } = original;
  if (!settings.precompressed) {
    return { file, path: components.join("/"), coding: null, varies: false };
  }
  const accepted = request.headers.get("accept-encoding");
  const limit = settings.maxAssetBytes;
  return chooseRepresentation(app.files, components, original, accepted, limit);
}

function checkFile(
  { file, name }: Pick<PublishedFile, "file" | "name">,
  settings: AppSettings,
): void {
  if (file.stat.size > settings.maxAssetBytes) {
    throw new Fault(
      "app_asset_too_large",
      `The file is larger than ${settings.maxAssetBytes} bytes`,
      { hint: "Raise the limit with `holon config set local_apps.max_asset_bytes <bytes>`." },
    );
  }
  if (settings.typesLimited) requireStrictType(name);
}
