/** The sign-in page: turns a token into a session cookie and goes back to where one came from. */

import { safeNext } from "./next.ts";

const form = document.querySelector<HTMLFormElement>("#form")!;
const token = document.querySelector<HTMLInputElement>("#token")!;
const submit = document.querySelector<HTMLButtonElement>("#submit")!;
const problem = document.querySelector<HTMLElement>("#problem")!;

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
    location.replace(safeNext(location.search, location.origin));
    return;
  }
  submit.disabled = false;
  token.setAttribute("aria-invalid", "true");
  problem.textContent = refusal;
  token.focus();
  token.select();
});
