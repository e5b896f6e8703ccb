/** Calls to the server, and reading what it answers. */

/** A call that was refused; status 0: there was no answer. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** The JSON at an address. */
export async function get(path: string): Promise<Json> {
  const response = await send(path, {});
  return await response.json() as Json;
}

/**
 * Sends a request with the session.
 *
 * @throws {ApiError} when it is refused, or there is no answer
 */
export async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, credentials: "same-origin", cache: "no-store" });
  } catch {
    throw new ApiError("Holon can't be reached", 0);
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({})) as Json;
  throw new ApiError(
    text(body["error"]) ?? `Holon answered with ${response.status}`,
    response.status,
  );
}

/** A list of objects out of an answer. */
export function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value as readonly Json[] : [];
}

/** A text out of an answer; `null` for none. */
export function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
