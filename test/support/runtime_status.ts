/**
 * What a server that listens on a network says of itself, for tests that run none.
 *
 * @module
 */

import type { RuntimeStatus } from "../../src/config/routes.ts";
import { VERSION } from "../../src/version.ts";

/** Its status; homes are `/home`. */
export const LAN_STATUS: RuntimeStatus = {
  healthy: true,
  pid: 7,
  home_dir: "/home",
  socket_path: "/home/run/holon.sock",
  http_addr: "192.168.1.10:7878",
  started_at: "2026-01-01T00:00:00.000Z",
  version: VERSION,
  runtime: "node 24",
  token_required: true,
  config_fingerprint: "f",
  startup_surface: {
    access: "lan",
    listen: ["192.168.1.10:7878", "127.0.0.1:7878"],
    listen_name: null,
    advertise: "192.168.1.10",
    callback_base_url: null,
    token_source: "file",
    token_file: "/token",
  },
  started_by: "daemon",
  access: "lan",
  listen: ["192.168.1.10:7878", "127.0.0.1:7878"],
  advertise_url: "http://192.168.1.10:7878",
  callback_base_url: "http://127.0.0.1:7878",
};
