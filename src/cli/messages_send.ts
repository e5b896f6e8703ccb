/**
 * `holon messages send`.
 *
 * @module
 */

import { resolve } from "node:path";
import { HostError } from "../host/types.ts";
import { hasInfiniteNumber } from "../http/json_numbers.ts";
import { callServer, openServer, type Server } from "./client/server.ts";
import { textOf } from "./client/fields.ts";
import type { MessagesSendCommand } from "./command.ts";
import { CliFailure, EXIT, hostErrorWords } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { messageIn, printMessage } from "./messages_commands.ts";
import { printable, printJson } from "./output.ts";

/** A request's JSON is at most 1 MiB. */
const MAX_PAYLOAD = 1024 * 1024;
const POLL_MS = 250;

/** Puts a message of the operator into an agent's queue; 1 when it was waited for and failed. */
export async function messagesSend(command: MessagesSendCommand, io: CliIo): Promise<number> {
  const [agent = "", type, ...more] = command.to.split("/");
  if (agent === "" || type === "" || more.length > 0) {
    throw usage(`${JSON.stringify(command.to)} is neither AGENT nor AGENT/TYPE`);
  }
  const content = await contentOf(command, io);
  const server = await openServer(command, io);
  const path = `/api/agents/${encodeURIComponent(agent)}/messages`;
  const sent = await callServer(server, {
    method: "POST",
    path,
    body: {
      ...content,
      ...(type === undefined ? {} : { request_type: type }),
      ...(command.requestId === undefined ? {} : { request_id: command.requestId }),
    },
    ...(command.idempotencyKey === undefined
      ? {}
      : { headers: { "idempotency-key": command.idempotencyKey } }),
  });
  const id = textOf(sent.message_id);
  if (!command.wait) {
    if (command.json) printJson(io, sent);
    else if (command.quiet) io.out(`${printable(id)}\n`);
    else {
      io.out(`Sent to ${printable(agent)} as ${printable(id)}\n`);
      const show = `holon messages show ${printable(id)} --agent ${printable(agent)}`;
      const more = server.kind === "local" ? "" : ", with the same --connect and token,";
      io.err(
        `holon: \`${show}\`${more} tells what becomes of it\n`,
      );
    }
    return EXIT.ok;
  }
  const message = await settled(server, `${path}/${encodeURIComponent(id)}`, io);
  if (!command.quiet || command.json) printMessage(io, message, command.json);
  return message.status === "succeeded" ? EXIT.ok : EXIT.failed;
}

// --- internal ---

type Content = { readonly text: string } | { readonly payload: unknown };

/** Exactly one of a text, `--payload` and `--payload-file`. */
async function contentOf(command: MessagesSendCommand, io: CliIo): Promise<Content> {
  const { text, payload, payloadFile } = command;
  const given = [text.length > 0, payload !== undefined, payloadFile !== undefined];
  if (given.filter((one) => one).length !== 1) {
    throw usage("a message needs one of a text, --payload JSON and --payload-file FILE");
  }
  if (payload !== undefined) return { payload: parse(payload, "--payload") };
  if (payloadFile === undefined) return { text: text.join(" ") };
  const path = resolve(io.cwd, payloadFile);
  try {
    const bytes = await io.host.files.read(path, MAX_PAYLOAD);
    return { payload: parse(new TextDecoder().decode(bytes), path) };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new CliFailure(`${path} can't be read: ${hostErrorWords(error)}`, { cause: error });
  }
}

function parse(text: string, source: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CliFailure(`${source} holds no valid JSON`, {
      hint: "For plain words, give them without --payload.",
      exitCode: EXIT.usage,
      cause,
    });
  }
  // Written again, it would be null.
  if (hasInfiniteNumber(text, value)) {
    throw new CliFailure(`${source} has a number that is out of range`, {
      hint: "Give numbers between -1.79e308 and 1.79e308, and larger ones as strings.",
      exitCode: EXIT.usage,
    });
  }
  return value;
}

/** Asks again and again until the message is done. */
async function settled(
  server: Server,
  path: string,
  io: CliIo,
): Promise<Record<string, unknown>> {
  for (;;) {
    const message = messageIn(await callServer(server, { method: "GET", path }));
    if (message.status !== "queued" && message.status !== "processing") return message;
    if (io.stop?.aborted === true) throw new CliFailure("it was not waited for any longer");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function usage(sentence: string): CliFailure {
  return new CliFailure(sentence, {
    hint: 'Such as: holon messages send main "Say hello", or main/ping --payload \'{"n":1}\'',
    exitCode: EXIT.usage,
  });
}
