import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { repositoryRoot } from "../support/runtime.ts";

type Versions = Readonly<Record<string, string>>;

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const manifest = JSON.parse(read("package.json")) as {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
};
const wanted: Versions = { ...manifest.dependencies, ...manifest.devDependencies };

describe("package.json", () => {
  it("names exact versions", () => {
    for (const [name, version] of Object.entries(wanted)) {
      assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
    }
  });
});

describe("deno.json", () => {
  it("maps the same packages and versions as package.json's dependencies", () => {
    const { imports } = JSON.parse(read("deno.json")) as { readonly imports: Versions };
    const mapped = Object.entries(imports).map(([name, target]) => {
      // A map of a package's files ends in a slash, and its target has one behind `npm:`.
      const match = /^npm:\/?(.+)@([^@/]+)\/?$/.exec(target);
      assert.equal(match?.[1], name.replace(/\/$/, ""), `${name}: ${target}`);
      return [match[1], match[2]] as const;
    });
    assert.deepEqual(Object.fromEntries(mapped), manifest.dependencies);
  });
});

describe("the lock files", () => {
  it("lock the versions that package.json names, with a digest each", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      readonly packages: Readonly<
        Record<string, { readonly version: string; readonly integrity?: string }>
      >;
    };
    for (const [name, version] of Object.entries(wanted)) {
      assert.equal(packages[`node_modules/${name}`]?.version, version, `npm: ${name}`);
    }
    for (const [path, { integrity }] of Object.entries(packages)) {
      if (path !== "") assert.match(integrity ?? "", /^sha512-/, `npm: ${path}`);
    }

    const bun = read("bun.lock");
    for (const [name, version] of Object.entries(wanted)) {
      assert.match(bun, new RegExp(`\\["${name}@${version}", .*"sha512-`), `Bun: ${name}`);
    }

    const deno = JSON.parse(read("deno.lock")) as {
      readonly npm: Readonly<Record<string, { readonly integrity: string }>>;
      readonly workspace: { readonly packageJson: { readonly dependencies: readonly string[] } };
    };
    for (const [name, version] of Object.entries(wanted)) {
      // Deno appends the peers that a package was resolved with.
      const key = Object.keys(deno.npm).find((it) => it.split("_")[0] === `${name}@${version}`);
      assert.match(deno.npm[key ?? ""]?.integrity ?? "", /^sha512-/, `Deno: ${name}`);
    }
    assert.deepEqual(
      [...deno.workspace.packageJson.dependencies].sort(),
      Object.entries(wanted).map(([name, version]) => `npm:${name}@${version}`).sort(),
      "deno.lock is out of date: deno install --lockfile-only --frozen=false",
    );
  });

  it("name no download address", () => {
    for (const file of ["package-lock.json", "bun.lock", "deno.lock"]) {
      // Pages that ask for donations are the only addresses that npm copies.
      const text = read(file).replace(/"funding": (?:\{[^}]*\}|\[[^\]]*\])/g, "");
      assert.doesNotMatch(text, /"resolved"|:\/\/|\.tgz\b/, file);
    }
  });
});
