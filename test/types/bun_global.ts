// Checked with Bun's own types (tsconfig.bun.json): our picture of its global is a true one.
import type { BunGlobal } from "../../src/host/bun.ts";

export const bun: BunGlobal = Bun;
