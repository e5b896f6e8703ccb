/**
 * The shared conformance cases: they lie beside the clone, in `../shared/cases`.
 *
 * @module
 */

import { readFileSync } from "node:fs";

const FOLDER = new URL("../../../shared/cases/", import.meta.url);

/** Reads a file of cases. @throws when it isn't there: then nothing would be tested */
export function readCases<T>(name: string): readonly T[] {
  try {
    return JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as T[];
  } catch (error) {
    throw new Error(`The shared cases are missing: put them into shared/cases beside the clone`, {
      cause: error,
    });
  }
}
