/**
 * Dials each URL that it is given, with a token, and prints what comes of it: one line of JSON.
 *
 * @module
 */

import process from "node:process";
import { remoteConnection } from "../../../src/cli/client/connection.ts";

const [token = "", ...urls] = process.argv.slice(2);
const results = await Promise.all(
  urls.map((url) =>
    remoteConnection(url, token).send({ method: "GET", path: "/" })
      .then(({ status }) => String(status), (error) => (error as Error).message)
  ),
);
console.log(JSON.stringify(results));
