// Checked with Deno's own types (deno check): our picture of its global is a true one.
import type { DenoGlobal } from "../../src/host/deno.ts";

export const deno: DenoGlobal = Deno;
