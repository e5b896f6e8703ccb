/**
 * Listens on a Unix socket until it is killed, which leaves the socket's file behind.
 *
 * @module
 */

import { createServer } from "node:net";
import process from "node:process";

createServer().listen(process.argv[2], () => console.log("listening"));
