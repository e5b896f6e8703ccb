/**
 * A client on this machine, for tests that call what comes behind the checks.
 *
 * @module
 */

import type { Client } from "../../src/http/client.ts";

/** It addressed localhost. */
export const LOCAL_CLIENT: Client = {
  host: { name: "localhost", port: null },
  scheme: null,
  address: null,
};
