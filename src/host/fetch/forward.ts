/**
 * Lets an object of our own pass for one of the runtime's: what it does itself is cheap, and all
 * else is done by a genuine one that it makes when it is asked.
 *
 * @module
 */

/** An object that can make the genuine one. */
export interface Standin<T> {
  /** Makes it at the first call. */
  genuine(): T;
}

/**
 * Gives a class what it lacks of another: `instanceof` holds, and accessors and methods that the
 * class doesn't have itself are those of its {@linkcode Standin.genuine} object.
 */
export function standInFor<T extends object>(
  standin: { readonly prototype: Standin<T> },
  original: { readonly prototype: T },
): void {
  const { prototype } = standin;
  for (const [name, own] of Object.entries(Object.getOwnPropertyDescriptors(original.prototype))) {
    if (name === "constructor" || Object.hasOwn(prototype, name)) continue;
    const forwarded = own.get === undefined
      ? {
        value(this: Standin<T>, ...values: unknown[]): unknown {
          const genuine = this.genuine() as Record<string, (...values: unknown[]) => unknown>;
          return genuine[name]?.(...values);
        },
        writable: true,
      }
      : {
        get(this: Standin<T>): unknown {
          return (this.genuine() as Record<string, unknown>)[name];
        },
      };
    Object.defineProperty(prototype, name, { ...forwarded, configurable: true, enumerable: true });
  }
  Object.setPrototypeOf(prototype, original.prototype);
}
