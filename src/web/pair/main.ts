/**
 * The page of a pairing link: turns its ticket into a session cookie, once a person says so.
 *
 * The ticket comes in the address's fragment, which no server and no link preview sees, and leaves
 * the address at once, so that neither the history nor a shared address has it.
 */

import { ticketIn } from "./ticket.ts";

const title = document.querySelector<HTMLElement>("#title")!;
const lead = document.querySelector<HTMLElement>("#lead")!;
const host = document.querySelector<HTMLElement>("#host")!;
const plain = document.querySelector<HTMLElement>("#plain")!;
const problem = document.querySelector<HTMLElement>("#problem")!;
const button = document.querySelector<HTMLButtonElement>("#pair")!;

let ticket: string | null = null;

/** Takes the ticket out of the address; a link that is opened over the page brings a new one. */
function takeTicket(): void {
  ticket = ticketIn(location.hash);
  history.replaceState(null, "", location.pathname);
  if (ticket === null) refuse("There is no code in this address", "Scan the code once more.");
}

/** Redeems the ticket; the result is what stands in the way, or `null`. */
async function redeem(): Promise<{ readonly sentence: string; readonly final: boolean } | null> {
  let response: Response;
  try {
    response = await fetch("/api/auth/pairing/redeem", {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ticket }),
    });
  } catch {
    return { sentence: "Holon can’t be reached. Is it still running?", final: false };
  }
  if (response.ok) return null;
  const body = await response.json().catch(() => ({})) as { error?: unknown };
  const sentence = typeof body.error === "string"
    ? `${body.error}.`
    : `Holon answered with status ${response.status}.`;
  return { sentence, final: response.status === 401 };
}

/** Says that this ticket is worth nothing, and how to come by another one. */
function refuse(sentence: string, hint: string): void {
  title.textContent = "This code doesn’t work";
  lead.textContent = `${sentence.replace(/[.]$/, "")}. ${hint}`;
  problem.textContent = "";
  plain.hidden = true;
  button.hidden = true;
}

button.addEventListener("click", async () => {
  button.disabled = true;
  problem.textContent = "";
  const refusal = await redeem();
  if (refusal === null) {
    location.replace("/");
    return;
  }
  button.disabled = false;
  if (!refusal.final) {
    problem.textContent = refusal.sentence;
    return;
  }
  refuse(
    refusal.sentence,
    "Make a new one on a device that is signed in: “Pair a device” on the home page, or run " +
      "“holon pair”.",
  );
});

host.textContent = location.host;
plain.hidden = location.protocol === "https:" || isSecureContext;
addEventListener("hashchange", takeTicket);
takeTicket();
