import { type ComponentChildren, h } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ApiDocument } from "../../reference/types.ts";
import { type EndpointGroup, groupsOf, search } from "./api.ts";
import { EndpointDetails } from "./endpoint.ts";
import { prose } from "./prose.ts";

/** The whole page. */
export function Docs({ load }: { load: () => Promise<ApiDocument> }): ComponentChildren {
  const [document, setDocument] = useState<ApiDocument | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const begin = () => {
    setProblem(null);
    load().then(setDocument, (error: Error) => setProblem(error.message));
  };
  useEffect(begin, []);
  return h("div", { class: "page" }, [
    h("header", { class: "top" }, [
      h("a", { class: "brand", href: "/" }, [h(Mark, null), h("span", null, "Holon")]),
      h("a", { class: "raw", href: "/api/openapi.json" }, "OpenAPI document"),
    ]),
    problem === null ? null : h("p", { class: "notice", role: "status" }, [
      `${problem}. `,
      h("button", { type: "button", onClick: begin }, "Try again"),
    ]),
    document === null
      ? h("main", { "aria-busy": problem === null }, h("h1", null, "API reference"))
      : h(Reference, { document }),
  ]);
}

function Reference({ document }: { document: ApiDocument }): ComponentChildren {
  const all = useMemo(() => groupsOf(document), [document]);
  const [query, setQuery] = useState("");
  const [linked, setLinked] = useState(idInAddress);
  const groups = search(all, query, document);
  const count = groups.reduce((sum, { endpoints }) => sum + endpoints.length, 0);

  useEffect(() => {
    const follow = () => setLinked(idInAddress());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);

  return h("main", null, [
    h("h1", null, "API reference"),
    h("p", { class: "lead" }, prose(document.info.description)),
    h("div", { class: "search" }, [
      h("label", { for: "search" }, "Search the reference"),
      h("input", {
        id: "search",
        type: "search",
        placeholder: "Search: a path, a word, a code",
        autocomplete: "off",
        spellcheck: false,
        value: query,
        onInput: (event: InputEvent) => setQuery((event.target as HTMLInputElement).value),
      }),
      h("p", { class: "found", role: "status" }, query === "" ? "" : countText(count)),
    ]),
    ...groups.map((group) => h(Group, { key: group.name, group, document, linked })),
  ]);
}

function Group(
  { group, document, linked }: { group: EndpointGroup; document: ApiDocument; linked: string },
): ComponentChildren {
  return h("section", { class: "group" }, [
    h("h2", null, group.name),
    h("p", { class: "about" }, group.description),
    ...group.endpoints.map((endpoint) =>
      h(EndpointDetails, {
        key: endpoint.id,
        endpoint,
        document,
        isLinked: endpoint.id === linked,
      })
    ),
  ]);
}

function Mark(): ComponentChildren {
  return h("svg", { class: "mark", viewBox: "0 0 32 32", "aria-hidden": "true" }, [
    h("circle", { class: "ring", cx: 16, cy: 16, r: 13 }),
    h("circle", { class: "core", cx: 19.5, cy: 19.5, r: 6 }),
  ]);
}

/** The operation that the page's address names; empty where it names none. */
function idInAddress(): string {
  return location.hash.slice(1);
}

function countText(count: number): string {
  return count === 0
    ? "Nothing has all of these words"
    : count === 1
    ? "1 found"
    : `${count} found`;
}
