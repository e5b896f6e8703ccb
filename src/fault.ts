/**
 * The refusals of Holon: one class, one list of machine codes.
 *
 * Rules and services throw a {@linkcode Fault}; `http/errors.ts` turns it into a response. Nothing
 * in a message or a context may name a host path or a secret, since both reach the client.
 *
 * @module
 */

/**
 * Every machine code with the HTTP status that it is sent with (contract: `facts/holon.md` §a.1).
 */
export const FAULT_STATUS = {
  agent_queue_full: 429,
  app_asset_busy: 503,
  app_asset_too_large: 413,
  app_host_error: 500,
  app_queue_full: 429,
  auth_required: 401,
  bad_request: 400,
  csrf_origin_rejected: 403,
  forbidden: 403,
  headers_too_large: 431,
  idempotency_conflict: 409,
  invalid_app_manifest: 422,
  invalid_json: 400,
  lease_lost: 409,
  message_not_failed: 409,
  message_settled: 409,
  method_not_allowed: 405,
  misdirected_host: 421,
  missing_json_content_type: 415,
  not_found: 404,
  not_implemented: 501,
  precondition_failed: 412,
  request_body_rejected: 413,
  request_timeout: 408,
  runtime_error: 500,
  runtime_shutting_down: 503,
  service_unavailable: 503,
  storage_full: 507,
  storage_unavailable: 503,
  token_exists: 409,
  too_many_attempts: 429,
  too_many_streams: 503,
  too_many_tickets: 429,
  too_many_tokens: 409,
  unsupported_app_asset_type: 415,
  unsupported_http_version: 505,
  uri_too_long: 414,
} as const;

/** A stable machine code; the key that clients switch on. */
export type FaultCode = keyof typeof FAULT_STATUS;

/** What a {@linkcode Fault} may carry besides its sentence. */
export interface FaultOptions {
  /** What the person can do about it, as a sentence. */
  readonly hint?: string;
  /** Named details for programs; strings only, no host path, no secret. */
  readonly context?: Readonly<Record<string, string>>;
  /** Response headers that belong to this refusal, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Another status than the code's own, e.g. 422 for `invalid_json` of the wrong shape. */
  readonly status?: number;
  /** The underlying error; logged, never sent. */
  readonly cause?: unknown;
}

/**
 * A refusal with a stable code and a sentence for a person.
 *
 * @example
 * ```ts
 * throw new Fault("not_found", "There is no app with this id", {
 *   hint: "Run `holon apps list` to see the apps of this agent.",
 * });
 * ```
 */
export class Fault extends Error {
  override readonly name = "Fault";
  /** The machine code. */
  readonly code: FaultCode;
  /** What the person can do about it. */
  readonly hint: string | undefined;
  /** Named details for programs. */
  readonly context: Readonly<Record<string, string>>;
  /** Response headers that belong to this refusal. */
  readonly headers: Readonly<Record<string, string>>;
  /** The HTTP status that this refusal is sent with. */
  readonly status: number;

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.context = options.context ?? {};
    this.headers = options.headers ?? {};
    this.status = options.status ?? FAULT_STATUS[code];
  }

  /** The same refusal, with further response headers. */
  withHeaders(headers: Readonly<Record<string, string>>): Fault {
    const { code, message, hint, context, status, cause } = this;
    return new Fault(code, message, {
      ...(hint === undefined ? {} : { hint }),
      context,
      headers: { ...this.headers, ...headers },
      status,
      cause,
    });
  }
}
