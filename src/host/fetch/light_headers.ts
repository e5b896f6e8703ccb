/**
 * Headers over a map, for what passes between the listener and Holon: the runtimes' own check,
 * copy and sort each field again.
 *
 * @module
 */

/** Fields by their names in lower case. */
export type FieldMap = Map<string, string>;

/**
 * What fetch calls `Headers`. Names and values are taken as they are: whoever writes them out, or
 * has read them in, checks them.
 */
export class LightHeaders {
  #fields: FieldMap;
  /** Whether others see the same map, so that it is copied before it changes. */
  #shared: boolean;
  /** Set-Cookie is no list: each stays a line of its own (RFC 9110 §5.3). */
  #cookies: string[] = [];

  constructor(fields: FieldMap, shared = false) {
    this.#fields = fields;
    this.#shared = shared;
  }

  get(name: string): string | null {
    const value = this.#fields.get(name);
    if (value !== undefined) return value;
    const lower = name.toLowerCase();
    if (lower === "set-cookie" && this.#cookies.length > 0) return this.#cookies.join(", ");
    return this.#fields.get(lower) ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  set(name: string, value: string): void {
    const lower = name.toLowerCase();
    if (lower === "set-cookie") this.#cookies = [String(value)];
    else this.#own().set(lower, String(value));
  }

  append(name: string, value: string): void {
    const lower = name.toLowerCase();
    if (lower === "set-cookie") return void this.#cookies.push(String(value));
    const before = this.#fields.get(lower);
    this.#own().set(lower, before === undefined ? String(value) : `${before}, ${value}`);
  }

  delete(name: string): void {
    const lower = name.toLowerCase();
    if (lower === "set-cookie") this.#cookies = [];
    else this.#own().delete(lower);
  }

  forEach(
    callback: (value: string, name: string, headers: Headers) => void,
    thisValue?: unknown,
  ): void {
    const headers = this as unknown as Headers;
    this.#fields.forEach((value, name) => callback.call(thisValue, value, name, headers));
    for (const cookie of this.#cookies) callback.call(thisValue, cookie, "set-cookie", headers);
  }

  entries(): HeadersIterator<[string, string]> {
    return this.#cookies.length === 0 ? this.#fields.entries() : this.#lines();
  }

  keys(): HeadersIterator<string> {
    return this.#cookies.length === 0 ? this.#fields.keys() : this.#lines().map(([name]) => name);
  }

  values(): HeadersIterator<string> {
    return this.#lines().map(([, value]) => value);
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries();
  }

  *#lines(): Generator<[string, string], undefined, undefined> {
    yield* this.#fields;
    for (const cookie of this.#cookies) yield ["set-cookie", cookie];
  }

  #own(): FieldMap {
    if (this.#shared) this.#fields = new Map(this.#fields);
    this.#shared = false;
    return this.#fields;
  }
}

type HeadersIterator<T> = IteratorObject<T, unknown, unknown>;

Object.setPrototypeOf(LightHeaders.prototype, Headers.prototype);

/** Light headers as the type that code is written for. */
export function lightHeaders(fields: FieldMap, shared = false): Headers {
  return new LightHeaders(fields, shared) as unknown as Headers;
}
