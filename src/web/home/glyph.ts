import { type ComponentChildren, h } from "preact";

/** A sign of its own for each app: circles within circles, made of the app's id. */
export function Glyph({ seed, muted }: { seed: string; muted: boolean }): ComponentChildren {
  const bits = hash(seed);
  const hue = muted ? 170 : bits % 360;
  const fill = muted ? "var(--sunken)" : `hsl(${hue} 42% 38%)`;
  const light = muted ? "var(--line)" : `hsl(${(hue + 28) % 360} 62% 78%)`;
  const angle = ((bits >>> 9) % 12) * Math.PI / 6;
  const radius = 8 + ((bits >>> 13) % 5);
  const away = 21 - radius;
  const x = 24 + Math.cos(angle) * away * 0.62;
  const y = 24 + Math.sin(angle) * away * 0.62;
  const inner = 2.5 + ((bits >>> 17) % 3);
  const turn = angle + Math.PI * (0.5 + ((bits >>> 20) % 4) / 3);
  return h("svg", { class: "glyph", viewBox: "0 0 48 48", "aria-hidden": "true" }, [
    h("circle", { cx: 24, cy: 24, r: 24, fill }),
    h("circle", { cx: x, cy: y, r: radius, fill: light }),
    h("circle", {
      cx: x + Math.cos(turn) * (radius - inner - 2),
      cy: y + Math.sin(turn) * (radius - inner - 2),
      r: inner,
      fill,
    }),
  ]);
}

/** FNV-1a: small, and apps with similar ids get signs that differ. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value ^= character.codePointAt(0)!;
    value = Math.imul(value, 0x01000193);
  }
  value ^= value >>> 15;
  return Math.imul(value, 0x2c1b3c6d) >>> 0;
}
