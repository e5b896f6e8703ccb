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
  /** No notes, and of lists the ids alone. */
  readonly quiet: boolean;
}

/** Options of every command that talks to a server. */
export interface ServerCommandOptions extends CommonOptions {
  readonly connect?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly tokenProfile?: string | undefined;
  /** Seconds until an answer begins. */
  readonly timeout?: number | undefined;
}

/** Who is to reach a server. */
export const ACCESS_MODES = ["local", "tunnel", "lan", "tailnet"] as const;

/** One of {@linkcode ACCESS_MODES}. */
export type AccessMode = typeof ACCESS_MODES[number];

/** The options that say how a server is reached, as they were given. */
export interface AccessOptions {
  /** By default `local`, which then refuses no address. */
  readonly access?: AccessMode | undefined;
  /** `HOST` or `HOST:PORT`. */
  readonly host?: string | undefined;
  /** `ADDRESS:PORT`. */
  readonly listen?: string | undefined;
  readonly port?: number | undefined;
  /** A URL. */
  readonly advertise?: string | undefined;
  /** A URL. */
  readonly callbackBaseUrl?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
}

/** `holon serve`. */
export interface ServeCommand extends AccessOptions, CommonOptions {
  readonly command: "serve";
  readonly log?: LogChoice | undefined;
  readonly open: boolean;
}

/** `holon daemon start` and `restart`. */
export interface DaemonStartCommand extends AccessOptions, CommonOptions {
  readonly command: "daemon restart" | "daemon start";
  readonly log?: LogChoice | undefined;
  /** Seconds. */
  readonly startTimeout?: number | undefined;
  /** Seconds; of `restart`. */
  readonly stopTimeout?: number | undefined;
}

/** `holon daemon stop`. */
export interface DaemonStopCommand extends CommonOptions {
  readonly command: "daemon stop";
  /** Seconds. */
  readonly stopTimeout?: number | undefined;
}

/** `holon daemon logs`. */
export interface DaemonLogsCommand extends CommonOptions {
  readonly command: "daemon logs";
  /** How many of the last lines. */
  readonly tail: number;
  readonly follow: boolean;
}

/** How `holon serve` may log. */
export const LOG_CHOICES = ["json", "text", "off"] as const;

/** One of {@linkcode LOG_CHOICES}. */
export type LogChoice = typeof LOG_CHOICES[number];

/** `holon apps list`. */
export interface AppsListCommand extends ServerCommandOptions {
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
export interface AgentsListCommand extends ServerCommandOptions {
  readonly command: "agents list";
}

/** `holon agents create`. */
export interface AgentsCreateCommand extends ServerCommandOptions {
  readonly command: "agents create";
  readonly id: string;
}

/** `holon messages list`. */
export interface MessagesListCommand extends ServerCommandOptions {
  readonly command: "messages list";
  readonly agent?: string | undefined;
  readonly status?: string | undefined;
  readonly limit: number;
}

/** `holon messages show`. */
export interface MessagesShowCommand extends ServerCommandOptions {
  readonly command: "messages show";
  readonly id: string;
  readonly agent?: string | undefined;
}

/** `holon config get` and `unset`. */
export interface ConfigKeyCommand extends ServerCommandOptions {
  readonly command: "config get" | "config unset";
  readonly key: string;
}

/** `holon config set`. */
export interface ConfigSetCommand extends ServerCommandOptions {
  readonly command: "config set";
  readonly key: string;
  readonly value: string;
}

/** `holon messages cancel` and `retry`. */
export interface MessagesChangeCommand extends ServerCommandOptions {
  readonly command: "messages cancel" | "messages retry";
  readonly id: string;
  readonly agent?: string | undefined;
}

/** `holon messages send`. */
export interface MessagesSendCommand extends ServerCommandOptions {
  readonly command: "messages send";
  /** `AGENT` or `AGENT/TYPE`. */
  readonly to: string;
  readonly text: readonly string[];
  /** JSON. */
  readonly payload?: string | undefined;
  readonly payloadFile?: string | undefined;
  readonly requestId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly wait: boolean;
}

/** `holon profile add`. */
export interface ProfileAddCommand extends CommonOptions {
  readonly command: "profile add";
  readonly name: string;
  readonly connect: string;
  readonly tokenFile: string;
  readonly replace: boolean;
}

/** `holon profile remove`. */
export interface ProfileRemoveCommand extends CommonOptions {
  readonly command: "profile remove";
  readonly name: string;
}

/** `holon tui`. */
export interface TuiCommand extends ServerCommandOptions {
  readonly command: "tui";
  readonly noAltScreen: boolean;
  /** Seconds until a connection is there. */
  readonly connectTimeout?: number | undefined;
}

/** Commands without arguments of their own that talk to a server. */
export interface PlainServerCommand extends ServerCommandOptions {
  readonly command: "config list" | "doctor" | "version";
}

/** `holon pair`. */
export interface PairCommand extends ServerCommandOptions {
  readonly command: "pair";
  readonly scope: "app" | "control" | "read";
}

/** `holon token create`. */
export interface TokenCreateCommand extends ServerCommandOptions {
  readonly command: "token create";
  readonly name: string;
  readonly scope: "app" | "control" | "read";
  /** A span such as `30d`, or `never`. */
  readonly expires?: string | undefined;
}

/** `holon token list`. */
export interface TokenListCommand extends ServerCommandOptions {
  readonly command: "token list";
}

/** `holon token revoke`. */
export interface TokenRevokeCommand extends ServerCommandOptions {
  readonly command: "token revoke";
  readonly name: string;
}

/** `holon token rotate`. */
export interface TokenRotateCommand extends ServerCommandOptions {
  readonly command: "token rotate";
  readonly name: string;
  /** As of {@linkcode TokenCreateCommand}; by default as long as before. */
  readonly expires?: string | undefined;
}

/** `holon sessions list`. */
export interface SessionsListCommand extends ServerCommandOptions {
  readonly command: "sessions list";
}

/** `holon sessions revoke`. */
export interface SessionsRevokeCommand extends ServerCommandOptions {
  readonly command: "sessions revoke";
  /** An id or its beginning. */
  readonly id?: string | undefined;
  readonly all: boolean;
}

/** Commands without arguments of their own that are about this machine. */
export interface PlainCommand extends CommonOptions {
  readonly command: "config schema" | "daemon status" | "profile list";
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
  | DaemonLogsCommand
  | DaemonStartCommand
  | DaemonStopCommand
  | MessagesChangeCommand
  | MessagesListCommand
  | MessagesSendCommand
  | MessagesShowCommand
  | PairCommand
  | PlainCommand
  | PlainServerCommand
  | ProfileAddCommand
  | ProfileRemoveCommand
  | ServeCommand
  | SessionsListCommand
  | SessionsRevokeCommand
  | TokenCreateCommand
  | TokenListCommand
  | TokenRevokeCommand
  | TokenRotateCommand
  | TuiCommand;
