/** Text in which what stands between backticks is code. */

import { type ComponentChildren, h } from "preact";

/** The parts of a text. */
export function prose(text: string): ComponentChildren[] {
  return text.split("`").map((part, index) => index % 2 === 1 ? h("code", null, part) : part);
}
