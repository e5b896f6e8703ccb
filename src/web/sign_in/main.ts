/**
 * The sign-in page: turns a token into a session cookie and goes back to where one came from. At
 * other addresses than its own it is what a stranger gets in the place of the page.
 */

import { safeNext } from "./next.ts";

const lead = document.querySelector<HTMLElement>("#lead")!;
const form = document.querySelector<HTMLFormElement>("#form")!;
const token = document.querySelector<HTMLInputElement>("#token")!;
const submit = document.querySelector<HTMLButtonElement>("#submit")!;
const problem = document.querySelector<HTMLElement>("#problem")!;

const isInPlace = location.pathname !== "/sign-in";

/** Exchanges the token; the result is a sentence that says why not, or `null`. */
async function exchange(credential: string): Promise<string | null> {
  let response: Response;
  try {
    response = await fetch("/api/auth/session/exchange", {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ credential }),
    });
  } catch {
    return "Holon can't be reached. Is it still running?";
  }
  if (response.ok) return null;
  const body = await response.json().catch(() => ({})) as { error?: unknown };
  return typeof body.error === "string"
    ? `${body.error}.`
    : `Holon answered with status ${response.status}.`;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  submit.disabled = true;
  problem.textContent = "";
  token.removeAttribute("aria-invalid");
  const refusal = await exchange(token.value);
  if (refusal === null) {
    // Replaced by itself, an address with a fragment would not be loaded again.
    if (isInPlace) location.reload();
    else location.replace(safeNext(location.search, location.origin));
    return;
  }
  submit.disabled = false;
  token.setAttribute("aria-invalid", "true");
  problem.textContent = refusal;
  token.focus();
  token.select();
});

/** Without a token there is nothing to sign in with, and a form would only mislead. */
async function examineMethod(): Promise<void> {
  const response = await fetch("/api/auth/method").catch(() => null);
  const method = await response?.json().catch(() => null) as { required?: boolean } | null;
  if (method?.required !== false) return;
  form.hidden = true;
  lead.textContent =
    "This server has no token, so there is nothing to sign in with: it lets in browsers on its own machine alone. ";
  if (isInPlace) return;
  const home = document.createElement("a");
  home.href = "/";
  home.textContent = "Open Holon";
  lead.append(home);
}

await examineMethod();
