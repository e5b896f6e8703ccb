/**
 * Finds what a script asks for, and what it does that a policy may forbid, as far as it can be read
 * off: names in quotes, not what code puts together.
 *
 * @module
 */

import { type Hint, type Reference, reference, type ReferenceUse } from "./reference.ts";
import { type ScriptToken, scriptTokens } from "./script_tokens.ts";

/** What was found in a script. */
export interface ScriptFindings {
  readonly references: readonly Reference[];
  readonly hints: readonly Hint[];
  /** Where the first `import` or `export` statement stands; `null` where there is none. */
  readonly moduleSyntax: number | null;
}

/** Functions that ask for what they are called with. */
const CALLS: Readonly<Record<string, ReferenceUse>> = {
  EventSource: "connect",
  SharedWorker: "worker",
  WebSocket: "connect",
  Worker: "worker",
  fetch: "connect",
  importScripts: "script",
};

/** The most tokens of an import or export clause. */
const MAX_CLAUSE = 2000;

const COMPILING: ReadonlySet<string> = new Set([
  ...["compile", "compileStreaming", "instantiate", "instantiateStreaming", "Module"],
]);

/** Reads a script. */
export function scriptFindings(text: string): ScriptFindings {
  const reader = new Reader(scriptTokens(text));
  reader.read();
  return reader;
}

// --- internal ---

class Reader implements ScriptFindings {
  readonly references: Reference[] = [];
  readonly hints: Hint[] = [];
  moduleSyntax: number | null = null;
  readonly #tokens: readonly ScriptToken[];

  constructor(tokens: readonly ScriptToken[]) {
    this.#tokens = tokens;
  }

  read(): void {
    for (const [index, token] of this.#tokens.entries()) {
      if (token.kind !== "name") continue;
      const isMember = this.#is(index - 1, ".");
      if (isMember) this.#readMember(index, token);
      else if (token.value === "import") this.#readImport(index, token);
      else if (token.value === "export") this.#readExport(index, token);
      else if (token.value === "URL") this.#readUrl(index);
      else this.#readCall(index, token);
    }
  }

  /** `import("a")`, `import "a"` and `import … from "a"`; `import.meta` is neither. */
  #readImport(index: number, token: ScriptToken): void {
    const next = this.#tokens[index + 1];
    if (this.#is(index + 1, "(")) {
      const url = this.#text(index + 2);
      if (url !== null && this.#endsArgument(index + 3)) {
        this.#refer(url, "import", token.offset, { certain: false, from: "file", cors: true });
      }
    } else if (next?.kind === "string") {
      this.#referToModule(next, token);
    } else if (next?.kind === "name" || this.#is(index + 1, "{") || this.#is(index + 1, "*")) {
      const source = this.#sourceAfter(index + 1);
      if (source !== null) this.#referToModule(source, token);
    }
  }

  #readExport(index: number, token: ScriptToken): void {
    const next = this.#tokens[index + 1];
    const isList = this.#is(index + 1, "{") || this.#is(index + 1, "*");
    if (!isList && next?.kind !== "name") return;
    this.moduleSyntax ??= token.offset;
    const source = isList ? this.#sourceAfter(index + 1) : null;
    if (source !== null) this.#referToModule(source, token);
  }

  #referToModule(source: ScriptToken, token: ScriptToken): void {
    this.moduleSyntax ??= token.offset;
    this.#refer(source.value, "import", token.offset, { from: "file", cors: true });
  }

  /** The string behind `from`, where only what an import or export clause has is in between. */
  #sourceAfter(start: number): ScriptToken | null {
    const end = Math.min(this.#tokens.length, start + MAX_CLAUSE);
    for (let index = start; index < end; index++) {
      const token = this.#tokens[index]!;
      const next = this.#tokens[index + 1];
      if (token.kind === "name") {
        if (token.value === "from" && next?.kind === "string") return next;
        if (token.value === "import" || token.value === "export") return null;
      } else if (token.kind === "punctuator") {
        if (!["{", "}", ",", "*"].includes(token.value)) return null;
      } else if (token.kind !== "string") return null;
    }
    return null;
  }

  /** `new URL("a", import.meta.url)`, also as what a worker is started from. */
  #readUrl(index: number): void {
    const url = this.#is(index + 1, "(") ? this.#text(index + 2) : null;
    const rest = [",", "import", ".", "meta", ".", "url"];
    if (url === null || !rest.every((value, step) => this.#is(index + 3 + step, value))) return;
    const { offset } = this.#tokens[index]!;
    const starter = this.#is(index - 1, "new") && this.#is(index - 2, "(")
      ? this.#tokens[index - 3]?.value
      : undefined;
    const isWorker = starter === "Worker" || starter === "SharedWorker";
    const use = isWorker ? "worker" : "connect";
    this.#refer(url, use, offset, { certain: false, from: "file", cors: true });
  }

  #readCall(index: number, { value, offset }: ScriptToken): void {
    if (!this.#is(index + 1, "(")) return;
    if (value === "eval" || value === "Function") this.hints.push({ kind: "eval", offset });
    if ((value === "setTimeout" || value === "setInterval") && this.#text(index + 2) !== null) {
      this.hints.push({ kind: "eval", offset });
    }
    const use = Object.hasOwn(CALLS, value) ? CALLS[value]! : null;
    if (use === null) return;
    const url = this.#text(index + 2);
    if (url !== null && this.#endsArgument(index + 3)) {
      this.#refer(url, use, offset, { certain: false, cors: use === "connect" });
    } else if (
      use === "worker" && this.#is(index + 2, "URL") && this.#is(index + 4, "createObjectURL")
    ) {
      this.#refer("blob:", use, offset, { certain: false });
    }
  }

  /** `navigator.serviceWorker.register("a")`, and what compiles WebAssembly. */
  #readMember(index: number, { value, offset }: ScriptToken): void {
    if (!this.#is(index + 1, "(")) return;
    const object = this.#tokens[index - 2]?.value;
    if (object === "WebAssembly" && COMPILING.has(value)) this.hints.push({ kind: "wasm", offset });
    if (["globalThis", "self", "window"].includes(object ?? "")) {
      this.#readCall(index, this.#tokens[index]!);
    }
    const url = this.#text(index + 2);
    if (object === "serviceWorker" && value === "register" && url !== null) {
      this.#refer(url, "worker", offset, { certain: false });
    }
  }

  #refer(
    url: string,
    use: ReferenceUse,
    offset: number,
    rest: Partial<Pick<Reference, "certain" | "cors" | "from">>,
  ): void {
    // With an escape in it, it is hardly the name of a file.
    if (!url.includes("\\")) this.references.push(reference(url, use, offset, rest));
  }

  #is(index: number, value: string): boolean {
    const token = this.#tokens[index];
    return token?.value === value && (token.kind === "punctuator" || token.kind === "name");
  }

  /** The content of a string, or of a template without substitutions. */
  #text(index: number): string | null {
    const token = this.#tokens[index];
    return token?.kind === "string" || token?.kind === "template" ? token.value : null;
  }

  #endsArgument(index: number): boolean {
    return this.#is(index, ")") || this.#is(index, ",");
  }
}
