import { badResponse, refusalOf, unreachable } from "./error.ts";

/** How calls are made: shared by all of an app's calls and streams. */
export interface Transport {
  readonly fetch: typeof fetch;
  /** Headers of every call, such as `Authorization`. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Calls an endpoint and reads its JSON answer.
 *
 * @param body sent as JSON by POST; a GET when left out
 * @param more headers of this call
 * @throws {HolonError} for refusals, and with status 0 when there was no answer
 */
export async function call<T>(
  transport: Transport,
  url: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  const headers: Record<string, string> = {
    accept: "application/json",
    ...transport.headers,
    ...more,
  };
  const init: RequestInit = { headers, credentials: "same-origin", cache: "no-store" };
  if (body !== undefined) {
    init.method = "POST";
    init.body = JSON.stringify(body);
    headers["content-type"] = "application/json";
  }
  const response = await transport.fetch(url, init).catch((cause: unknown) => {
    throw unreachable(cause);
  });
  if (!response.ok) throw await refusalOf(response);
  return response.json().catch(() => {
    throw badResponse(response.status);
  }) as Promise<T>;
}
