import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { repositoryRoot } from "../support/runtime.ts";

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const { scripts } = JSON.parse(read("package.json")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const { tasks } = JSON.parse(read("deno.json")) as {
  readonly tasks: Readonly<Record<string, unknown>>;
};
const pages = globSync(["*.md", "docs/**/*.md"], { cwd: repositoryRoot }).sort();

/** The command lines of a page's shell blocks, and its inline code. */
function commandsOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:sh|bash|console|shell)\n([\s\S]*?)^```/gm)];
  const lines = blocks.flatMap(([, block = ""]) => block.split("\n"));
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)];
  return [...lines, ...inline.map(([, code = ""]) => code)]
    .flatMap((line) => line.replace(/\s#.*$/, "").split(/&&|;/))
    .map((command) => command.trim().replace(/^\$ /, ""));
}

describe("the README", () => {
  it("has the two commands that a newcomer pastes", () => {
    const commands = read("README.md").split("\n");
    assert.ok(commands.includes("npm ci && npm run serve"));
    assert.ok(commands.includes("npm ci && npm test"));
  });
});

describe("the pages", () => {
  it("name only scripts, tasks and programs that exist", () => {
    assert.ok(pages.includes("README.md"));
    for (const page of pages) {
      for (const command of commandsOf(read(page))) {
        const script = /^(?:npm|bun) run ([\w:-]+)/.exec(command)?.[1];
        if (script !== undefined) assert.ok(script in scripts, `${page}: ${command}`);
        const task = /^deno task ([\w:-]+)/.exec(command)?.[1];
        if (task !== undefined) assert.ok(task in tasks, `${page}: ${command}`);
        const program = /^(?:node|bun|deno run(?: -\S+)*) ([\w/]+\.(?:ts|js))\b/.exec(command)?.[1];
        if (program !== undefined) {
          assert.ok(existsSync(join(repositoryRoot, program)), `${page}: ${command}`);
        }
      }
    }
  });

  it("link to files that exist", () => {
    for (const page of pages) {
      const text = read(page).replace(/^```[\s\S]*?^```/gm, "");
      for (const [, target = ""] of text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const path = join(repositoryRoot, page, "..", target);
        assert.ok(existsSync(path), `${page} links to ${target}`);
      }
    }
  });
});
