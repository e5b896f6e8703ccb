import { type ComponentChildren, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Scope } from "./api_devices.ts";
import {
  cancelPairingLink,
  fetchPairingPlace,
  fetchPairingState,
  makePairingLink,
  type PairingLink,
  type PairingPlace,
} from "./api_pairing.ts";
import { QrCode } from "./qr_code.ts";

/** The link is asked after this often, in ms. */
const POLL_MS = 1_000;

const SCOPES: readonly (readonly [Scope, string, string])[] = [
  ["app", "Use apps", "Open apps and let them make requests"],
  ["read", "Look only", "See apps and requests, change nothing"],
  ["control", "Everything", "Also settings, tokens and other devices"],
];

/** What the dialog shows. */
type Step =
  | { readonly kind: "choose" }
  | { readonly kind: "code"; readonly link: PairingLink; readonly left: number }
  | { readonly kind: "expired" }
  | { readonly kind: "used"; readonly client: string };

/** A button, and the dialog that shows a code for another device. */
export function PairButton({ onPaired }: { onPaired: () => void }): ComponentChildren {
  const [isOpen, setOpen] = useState(false);
  return [
    h("button", {
      type: "button",
      "aria-label": "Pair a device",
      onClick: () => setOpen(true),
    }, ["Pair", h("span", { class: "wide" }, " a device")]),
    isOpen ? h(PairDialog, { onPaired, onClose: () => setOpen(false) }) : null,
  ];
}

function PairDialog(
  { onPaired, onClose }: { onPaired: () => void; onClose: () => void },
): ComponentChildren {
  const dialog = useRef<HTMLDialogElement>(null);
  const [place, setPlace] = useState<PairingPlace | null>(null);
  const [scope, setScope] = useState<Scope>("app");
  const [step, setStep] = useState<Step>({ kind: "choose" });
  const [problem, setProblem] = useState<string | null>(null);
  const fail = (error: unknown) => setProblem((error as Error).message);

  useEffect(() => {
    dialog.current?.showModal();
    fetchPairingPlace().then(setPlace, fail);
  }, []);

  const link = step.kind === "code" ? step.link : null;
  useEffect(() => {
    if (link === null) return;
    const timer = setInterval(async () => {
      try {
        const { state, client, secondsLeft } = await fetchPairingState(link.id);
        if (state === "waiting") setStep({ kind: "code", link, left: secondsLeft });
        else if (client === null) setStep({ kind: "expired" });
        else {
          setStep({ kind: "used", client });
          onPaired();
        }
        setProblem(null);
      } catch (error) {
        fail(error);
      }
    }, POLL_MS);
    return () => {
      clearInterval(timer);
      // A code that is not shown any more is good for nothing.
      cancelPairingLink(link.id);
    };
  }, [link]);

  async function showCode(): Promise<void> {
    setProblem(null);
    try {
      const next = await makePairingLink(scope);
      setStep({ kind: "code", link: next, left: next.secondsLeft });
    } catch (error) {
      fail(error);
    }
  }

  return h("dialog", {
    ref: dialog,
    class: "pairing",
    "aria-labelledby": "pairing",
    onClose,
    // A click beside it is one on the dialog itself.
    onClick: (event: MouseEvent) => {
      if (event.target === dialog.current) dialog.current?.close();
    },
  }, [
    h("div", { class: "pairing-body" }, [
      h("h2", { id: "pairing" }, "Pair a device"),
      problem === null ? null : h("p", { class: "notice bad", role: "alert" }, `${problem}.`),
      place === null ? null : h(StepView, { place, step, scope, setScope, showCode }),
      h("p", { class: "pairing-end" }, [
        h("button", { type: "button", onClick: () => dialog.current?.close() }, "Close"),
      ]),
    ]),
  ]);
}

function StepView(
  { place, step, scope, setScope, showCode }: {
    place: PairingPlace;
    step: Step;
    scope: Scope;
    setScope: (scope: Scope) => void;
    showCode: () => void;
  },
): ComponentChildren {
  if (step.kind === "code") return h(Code, { link: step.link, left: step.left });
  if (step.kind === "used") {
    return h("p", { class: "pairing-done", role: "status" }, [
      `Used by ${step.client}. `,
      "It is signed in now, and listed with the other devices.",
    ]);
  }
  const notes = place.notes.map((note) => h("p", { class: "pairing-note" }, note));
  if (!place.reachable) return notes;
  return [
    step.kind === "expired"
      ? h("p", { role: "status" }, "The code has expired: it was good for two minutes.")
      : h("p", null, "A phone or another browser scans a code and is signed in. It may:"),
    h("fieldset", { class: "pairing-scopes" }, [
      h("legend", { class: "hidden" }, "What the device may do"),
      SCOPES.map(([value, name, explanation]) =>
        h("label", null, [
          h("input", {
            type: "radio",
            name: "scope",
            value,
            checked: value === scope,
            onChange: () => setScope(value),
          }),
          h("span", null, [h("strong", null, name), h("small", null, explanation)]),
        ])
      ),
    ]),
    ...notes,
    h("button", { type: "button", class: "primary", onClick: showCode }, [
      step.kind === "expired" ? "Show a new code" : "Show the code",
    ]),
  ];
}

function Code({ link, left }: { link: PairingLink; left: number }): ComponentChildren {
  const [isCopied, setCopied] = useState(false);
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return [
    h(QrCode, { text: link.url, label: "QR code of the pairing link" }),
    h("p", { class: "pairing-left" }, [
      "Scan it with the device’s camera. It works once, for ",
      h("span", { role: "timer" }, time),
      ".",
    ]),
    h("details", { class: "pairing-link" }, [
      h("summary", null, "No camera? Open the link there"),
      h("code", null, link.url),
      navigator.clipboard === undefined ? null : h("button", {
        type: "button",
        onClick: () => navigator.clipboard.writeText(link.url).then(() => setCopied(true)),
      }, isCopied ? "Copied" : "Copy the link"),
    ]),
  ];
}
