import type { Route } from "../../src/http/route.ts";
import { ASSETS } from "../../src/web/built.ts";

/** What is reached together; the table has a line for each. */
export const SURFACES: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    "The pages to sign in and to pair, their parts, the icon",
    /^GET \/(sign-in|pair|favicon\.(ico|svg)|-\/(sign_in|pair).*)$/,
  ],
  [
    "Whether a token is needed; signing in by a token or a pairing code",
    /^(GET .*\/auth\/method|POST .*\/(exchange|redeem))$/,
  ],
  [
    "The home page and the API reference, their parts",
    /^GET \/(|-\/.*|api\/(docs|openapi\.json))$/,
  ],
  ["The handshake of commands", /^GET (\/api)?\/handshake$/],
  ["Lists of apps, apps and their files, the SDK", /^GET \/apps\/(?!.*\/events$)/],
  ["Changes of app files (live reload)", /^GET \/api\/reload/],
  ["Requests of apps, and their events", /^(POST|GET) \/apps\/main\/card\/(request|events)$/],
  ["Agents, messages, events of all: to look", /^GET \/api\/(agents|events)/],
  ["Agents, messages: to make, claim, end", /^POST \/api\/agents/],
  ["Metrics", /^GET \/api\/metrics$/],
  ["Whose credential it is; signing out", /^(GET|POST) \/api\/auth\/session\/(me|logout)$/],
  ["Sessions, tokens, pairing codes", /^[A-Z]+ \/api\/auth\/(sessions|tokens|pairing)/],
  ["Settings, state of the server, its end", /^[A-Z]+ \/api\/control\//],
  ["Addresses that don’t exist", /^GET \/nowhere$/],
];

/** A request that is tried. */
export interface Try {
  readonly method: string;
  readonly path: string;
  readonly surface: string;
}

const PARAMETERS: Readonly<Record<string, string>> = {
  agent: "main",
  app: "card",
  message: "none",
  pairing: "none",
  path: "index.html",
  session: "none",
  token: "none",
};

/** A path with something in place of its parameters. */
export function filled(path: string): string {
  return path.replace(/:([a-z_]+)\+?/g, (_, name) => PARAMETERS[name] ?? `:${name}`);
}

/** A request for each route, and one for none; each belongs to exactly one surface. */
export function triesOf(routes: readonly Route[]): readonly Try[] {
  const requests = routes.flatMap(({ method, path }) =>
    path === "/-/:asset" ? ASSETS.map((asset) => ({ method, path: asset.path })) : [{
      method,
      path: filled(path),
    }]
  );
  return [...requests, { method: "GET", path: "/nowhere" }].map(({ method, path }) => {
    const surface = SURFACES.find(([, pattern]) => pattern.test(`${method} ${path}`));
    if (surface === undefined) throw new Error(`${method} ${path} belongs to no surface yet`);
    return { method, path, surface: surface[0] };
  });
}
