import { type ComponentChildren, h } from "preact";
import { encode } from "uqr";

/** Light modules around a code, as the standard asks. */
const QUIET = 4;

/** A text as a QR code: dark on light in dark mode too, since cameras want it so. */
export function QrCode({ text, label }: { text: string; label: string }): ComponentChildren {
  const { data, size } = encode(text, { border: QUIET, ecc: "M" });
  const modules = data.flatMap((row, y) => row.map((dark, x) => dark ? `M${x} ${y}h1v1h-1z` : ""));
  return h("svg", {
    class: "qr",
    viewBox: `0 0 ${size} ${size}`,
    role: "img",
    "aria-label": label,
    "shape-rendering": "crispEdges",
  }, [
    h("rect", { width: size, height: size, fill: "#fff" }),
    h("path", { d: modules.join(""), fill: "#000" }),
  ]);
}
