/**
 * Answers a GET or HEAD with a file: validators, ranges, limits on what is open, and the body.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { lightResponse } from "../host/fetch/light_response.ts";
import { attachFileBody } from "../host/file_body.ts";
import type { FieldMap } from "../host/fetch/light_headers.ts";
import type { BodyOutcome, FileBody, OpenedFile } from "../host/types.ts";
import { evaluatePreconditions, rangeApplies, type Validators } from "./conditional.ts";
import { fileEntityTag, formatEntityTag, isSettled } from "./entity_tag.ts";
import { holdFile, streamFile } from "./file_stream.ts";
import { formatHttpDate } from "./http_date.ts";
import type { Permits, ReleasePermit } from "./permits.ts";
import { decideRange, type RangeDecision } from "./range.ts";
import { mayBeMidway, readSteadily, SMALL_BYTES } from "./steady_file.ts";

/** A file to answer with, and what is sent along. */
export interface FileAnswer {
  /** Belongs to the response from here on, whatever comes of it. */
  readonly file: OpenedFile;
  /** The path that the file is addressed by; its tag depends on it. */
  readonly path: string;
  readonly contentType: string;
  /** The coding that the file's bytes are in; the type is that of what they hold. */
  readonly coding?: string | null;
  /** Names of the request headers that the choice of this file depended on. */
  readonly vary?: readonly string[];
  /** Further headers, e.g. a `Content-Security-Policy`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the answer is made with. */
export interface FileAnswerOptions {
  /** Wall-clock time in ms. */
  readonly now: number;
  readonly permits: Permits;
  /** Whether small files may be read at once (`design.md` decision 21). */
  readonly blocking: boolean;
  /** Whether to give `null` rather than a small file that is being written at this moment. */
  readonly steady: boolean;
  /** Resolves when the listener is done with the response, whatever it sent. */
  readonly ended?: Promise<BodyOutcome> | undefined;
  /** Whether the listener sends files by itself: the response then needs no stream. */
  readonly sentByListener?: boolean | undefined;
}

/**
 * Makes the response for a file: 200, 206, 304 or 416, with exact `Content-Length`. A permit is
 * taken only where there are bytes to send. The headers are complete; change them in place and
 * don't wrap the response, or the listener can't send the file the fast way. `null`: the file is
 * being written, open it again (only if `steady` was asked for).
 *
 * @throws {Fault} `precondition_failed` (412), `app_asset_busy` (503)
 */
export function fileResponse(
  request: Request,
  answer: FileAnswer,
  options: FileAnswerOptions,
): Response | null {
  try {
    return respond(request, answer, options);
  } catch (error) {
    answer.file.close();
    throw error;
  }
}

// --- internal ---

function respond(
  request: Request,
  answer: FileAnswer,
  options: FileAnswerOptions,
): Response | null {
  const { file } = answer;
  const { size } = file.stat;
  if (options.steady && mayBeMidway(file.stat, options.now)) {
    file.close();
    return null;
  }
  const seconds = Math.floor(options.now / 1000);
  const validators = validatorsOf(answer, options.now);
  const headers = commonHeaders(answer, validators, seconds);

  const verdict = evaluatePreconditions(request.headers, validators, seconds);
  if (verdict === "precondition_failed") {
    throw new Fault("precondition_failed", "The file is not the version that was asked for");
  }
  if (verdict === "not_modified") return bodiless(file, 304, headers, options);

  headers.set("content-type", answer.contentType);
  if (answer.coding) headers.set("content-encoding", answer.coding);
  const isHead = request.method === "HEAD";
  const range = isHead || !rangeApplies(request.headers, validators, seconds)
    ? null
    : request.headers.get("range");
  const decision = decideRange(range, size);
  if (decision.kind === "unsatisfiable") return unsatisfiable(answer, headers, options);

  const { start, end } = decision.kind === "part" ? decision : { start: 0, end: size };
  headers.set("content-length", String(end - start));
  if (isHead || end === start) return bodiless(file, 200, headers, options);
  if (decision.kind === "part") headers.set("content-range", `bytes ${start}-${end - 1}/${size}`);
  return withBody(answer, decision, headers, options);
}

function validatorsOf({ file, path, vary = [] }: FileAnswer, now: number): Validators {
  const { stat } = file;
  return {
    tag: fileEntityTag(path, stat, now),
    modified: Math.floor(stat.mtimeMs / 1000),
    // Compressing tools copy the time of the original: it doesn't tell one from the other.
    dateIsReliable: vary.length === 0 && isSettled(stat, now) && stat.mtimeMs <= now,
  };
}

function commonHeaders(answer: FileAnswer, validators: Validators, seconds: number): FieldMap {
  const headers: FieldMap = new Map();
  headers.set("accept-ranges", "bytes");
  headers.set("cache-control", "no-store");
  headers.set("cross-origin-resource-policy", "same-origin");
  // Ours, so that Last-Modified can't be later than it (RFC 9110 §8.8.2.1).
  headers.set("date", formatHttpDate(seconds));
  headers.set("etag", formatEntityTag(validators.tag));
  headers.set("last-modified", formatHttpDate(Math.min(validators.modified, seconds)));
  headers.set("x-content-type-options", "nosniff");
  if (answer.vary?.length) headers.set("vary", answer.vary.join(", "));
  for (const name in answer.headers) headers.set(name, answer.headers[name]!);
  return headers;
}

/** Without a body of its own; the light one is for a listener that knows it. */
function emptyResponse(status: number, headers: FieldMap, options: FileAnswerOptions): Response {
  return options.sentByListener
    ? lightResponse(status, headers)
    : new Response(null, { status, headers: [...headers] });
}

function bodiless(
  file: OpenedFile,
  status: number,
  headers: FieldMap,
  options: FileAnswerOptions,
): Response {
  file.close();
  return emptyResponse(status, headers, options);
}

function unsatisfiable(
  answer: FileAnswer,
  headers: FieldMap,
  options: FileAnswerOptions,
): Response {
  for (const name of ["content-type", "content-encoding", "etag", "last-modified"]) {
    headers.delete(name);
  }
  headers.set("content-length", "0");
  headers.set("content-range", `bytes */${answer.file.stat.size}`);
  return bodiless(answer.file, 416, headers, options);
}

function withBody(
  { file }: FileAnswer,
  decision: Exclude<RangeDecision, { kind: "unsatisfiable" }>,
  headers: FieldMap,
  options: FileAnswerOptions,
): Response | null {
  const { permits, blocking, steady, ended, sentByListener } = options;
  const release = permits.tryAcquire();
  if (release === null) {
    throw new Fault("app_asset_busy", "All places for sending files are taken right now", {
      hint: "Try again in a second.",
      headers: { "retry-after": "1" },
    });
  }
  const whole = decision.kind === "whole";
  const [start, end] = whole ? [0, file.stat.size] : [decision.start, decision.end];
  let sent = file;
  if (steady && blocking && end - start <= SMALL_BYTES) {
    const copy = copyOf(file, start, end, release);
    if (copy === null) return null;
    sent = copy;
  }
  const status = whole ? 200 : 206;
  let body: FileBody;
  let response: Response;
  if (sentByListener && ended !== undefined) {
    body = holdFile(sent, start, end, release);
    response = emptyResponse(status, headers, options);
  } else {
    const streamed = streamFile(sent, start, end, release, blocking);
    body = streamed.body;
    response = new Response(streamed.stream, { status, headers: [...headers] });
  }
  attachFileBody(response, body);
  // However the response ended, and even if it was another one: nothing stays open.
  ended?.then(body.finish, body.finish);
  return response;
}

/** A small range in memory, its handle given back already; without one the permit is, too. */
function copyOf(
  file: OpenedFile,
  start: number,
  end: number,
  release: ReleasePermit,
): OpenedFile | null {
  let copy: OpenedFile | null = null;
  try {
    copy = readSteadily(file, start, end);
    return copy;
  } finally {
    file.close();
    if (copy === null) release();
  }
}
