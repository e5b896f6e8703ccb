/**
 * What can be asked of the CLI, once parsed.
 *
 * @module
 */

/** Options that every command has. */
export interface CommonOptions {
  /** `--home`; the environment decides where it is absent. */
  readonly home?: string | undefined;
  readonly json: boolean;
}

/** `holon serve`. */
export interface ServeCommand extends CommonOptions {
  readonly command: "serve";
  /** `ADDRESS:PORT`. */
  readonly listen?: string | undefined;
  readonly port?: number | undefined;
  readonly tokenFile?: string | undefined;
  readonly log?: LogChoice | undefined;
  readonly open: boolean;
}

/** How `holon serve` logs. */
export type LogChoice = "json" | "off" | "text";

/** `holon apps list`. */
export interface AppsListCommand extends CommonOptions {
  readonly command: "apps list";
  readonly agent?: string | undefined;
}

/** `holon apps new`. */
export interface AppsNewCommand extends CommonOptions {
  readonly command: "apps new";
  readonly name: string;
  readonly agent?: string | undefined;
  readonly template: string;
}

/** `holon apps check`. */
export interface AppsCheckCommand extends CommonOptions {
  readonly command: "apps check";
  readonly directory: string;
}

/** `holon agents list`. */
export interface AgentsListCommand extends CommonOptions {
  readonly command: "agents list";
}

/** `holon agents create`. */
export interface AgentsCreateCommand extends CommonOptions {
  readonly command: "agents create";
  readonly id: string;
}

/** `holon messages list`. */
export interface MessagesListCommand extends CommonOptions {
  readonly command: "messages list";
  readonly agent?: string | undefined;
  readonly status?: string | undefined;
  readonly limit: number;
}

/** `holon messages show`. */
export interface MessagesShowCommand extends CommonOptions {
  readonly command: "messages show";
  readonly id: string;
  readonly agent?: string | undefined;
}

/** `holon config get` and `unset`. */
export interface ConfigKeyCommand extends CommonOptions {
  readonly command: "config get" | "config unset";
  readonly key: string;
}

/** `holon config set`. */
export interface ConfigSetCommand extends CommonOptions {
  readonly command: "config set";
  readonly key: string;
  readonly value: string;
}

/** Commands without arguments of their own. */
export interface PlainCommand extends CommonOptions {
  readonly command: "config list" | "config schema" | "doctor" | "version";
}

/** Every command. */
export type Command =
  | AgentsCreateCommand
  | AgentsListCommand
  | AppsCheckCommand
  | AppsListCommand
  | AppsNewCommand
  | ConfigKeyCommand
  | ConfigSetCommand
  | MessagesListCommand
  | MessagesShowCommand
  | PlainCommand
  | ServeCommand;
