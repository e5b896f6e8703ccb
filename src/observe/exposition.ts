/**
 * Prometheus' text format, version 0.0.4.
 *
 * @module
 */

/** The media type of the format. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Labels of a sample by name. */
export type Labels = Readonly<Record<string, string>>;

/** A sample of a family: its labels, its value, and what its name has after the family's. */
export type Sample = readonly [labels: Labels, value: number, suffix?: string];

/** Samples that share a name, a kind and a meaning. */
export interface Family {
  /** In base units, with the unit at its end: `_seconds`, `_bytes`, `_total`. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** One sentence. */
  readonly help: string;
  readonly samples: Iterable<Sample>;
}

/** The text of families, in their order. */
export function exposition(families: readonly Family[]): string {
  const lines: string[] = [];
  for (const { name, type, help, samples } of families) {
    lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
    for (const [labels, value, suffix = ""] of samples) {
      lines.push(`${name}${suffix}${labelText(labels)} ${valueText(value)}`);
    }
  }
  return lines.join("\n") + "\n";
}

/**
 * The samples of a histogram of one set of labels.
 *
 * @param bounds upper bounds, ascending
 * @param counts how many fell into each bucket, and last into none
 */
export function histogramSamples(
  labels: Labels,
  bounds: readonly number[],
  counts: readonly number[],
  sum: number,
): readonly Sample[] {
  let total = 0;
  const buckets = counts.map((count, index): Sample => {
    total += count;
    const le = index < bounds.length ? String(bounds[index]) : "+Inf";
    return [{ ...labels, le }, total, "_bucket"];
  });
  return [...buckets, [labels, sum, "_sum"], [labels, total, "_count"]];
}

// --- internal ---

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function escapeHelp(help: string): string {
  return help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function valueText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
