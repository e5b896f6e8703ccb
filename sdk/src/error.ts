/** What a {@linkcode HolonError} is made of. */
export interface HolonErrorParts {
  readonly status: number;
  readonly code: string;
  readonly hint?: string | undefined;
  readonly retryAfter?: number | undefined;
}

/** A call that Holon refused, or that didn't reach it (`status` 0). See `holon.d.ts`. */
export class HolonError extends Error {
  override readonly name = "HolonError";
  readonly status: number;
  readonly code: string;
  declare readonly hint?: string;
  declare readonly retryAfter?: number;

  constructor(message: string, parts: HolonErrorParts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = parts.status;
    this.code = parts.code;
    if (parts.hint !== undefined) this.hint = parts.hint;
    if (parts.retryAfter !== undefined) this.retryAfter = parts.retryAfter;
  }
}

/** There was no answer: the server is down, or the network is. */
export function unreachable(cause: unknown): HolonError {
  return new HolonError("Holon can't be reached", { status: 0, code: "unreachable" }, cause);
}

/** The answer isn't one that Holon gives. */
export function badResponse(status: number): HolonError {
  return new HolonError("The answer is not from Holon", { status, code: "bad_response" });
}

/**
 * Reads the error envelope of an answer: `{ error: "sentence", code, hint? }` (`design.md`
 * decision 2). Never throws, whatever the body is.
 */
export async function refusalOf(response: Response): Promise<HolonError> {
  let envelope: Record<string, unknown> = {};
  try {
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null) envelope = body as Record<string, unknown>;
  } catch {
    // A proxy's page, or a body that was cut: the status has to do.
  }
  const { status } = response;
  const seconds = Number(response.headers.get("retry-after") ?? NaN);
  return new HolonError(text(envelope["error"]) ?? `Holon answered with status ${status}`, {
    status,
    code: text(envelope["code"]) ?? `http_${status}`,
    hint: text(envelope["hint"]),
    retryAfter: Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined,
  });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
