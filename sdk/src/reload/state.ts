/** How an app's files are, as pages tell each other. */
export interface AppState {
  /** `agent/app`. */
  readonly app: string;
  /** A digest of the files. */
  readonly version: string;
  /** When they were changed last, by this machine's clock. */
  readonly changedAt: number;
  /** The version before, where it is known what changed since. */
  readonly from: string | undefined;
  /** The stylesheets, where nothing else changed. */
  readonly styles: readonly string[] | undefined;
}

/** Reads the data of a `holon_reload` frame. */
export function stateOf(data: string): AppState {
  const { app, version, changed_ms, from, kind, paths } = JSON.parse(data);
  const styles = kind === "style" ? paths : undefined;
  return { app, version, changedAt: Date.now() - changed_ms, from, styles };
}
