/**
 * `holon pair`: shows a code that signs a phone in.
 *
 * @module
 */

import { textOf } from "./client/fields.ts";
import { callServer, openServer, type Server } from "./client/server.ts";
import type { PairCommand } from "./command.ts";
import { CliFailure, EXIT } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { paintFor, printable, printJson, usesColor } from "./output.ts";
import { qrText } from "./qr_text.ts";
import { listenToStop } from "./stop_request.ts";

const PATH = "/api/auth/pairing";
/** The code is asked after this often, in ms. */
const POLL_MS = 1_000;

type Json = Readonly<Record<string, unknown>>;

/**
 * Makes a link and shows it as a code. On a terminal it then waits until somebody has used it, or
 * its two minutes are over; elsewhere it ends at once, and the link stays good.
 *
 * @throws {CliFailure} where no other device reaches the server
 */
export async function pair(command: PairCommand, io: CliIo): Promise<number> {
  const server = await openServer(command, io);
  const place = await callServer(server, { method: "GET", path: PATH });
  if (place.reachable !== true) throw unreachable(place);
  const { scope } = command;
  const link = await callServer(server, { method: "POST", path: `${PATH}/issue`, body: { scope } });
  if (command.json) {
    printJson(io, link);
    return EXIT.ok;
  }
  if (command.quiet) {
    io.out(`${printable(textOf(link.url))}\n`);
    return EXIT.ok;
  }
  const { yellow, bold, dim } = paintFor(io);
  for (const note of notesOf(link)) io.err(`${yellow("Note:")} ${printable(note)}\n\n`);
  io.out(`${qrText(textOf(link.url), usesColor(io))}\n\n${bold(printable(textOf(link.url)))}\n\n`);
  io.err(dim(
    `Scan it, or open the link on the other device. It works once, for two minutes, and ` +
      `signs the device in with the scope ${scope}.\n`,
  ));
  return io.terminal.stdout ? await waitForUse(server, textOf(link.id), io) : EXIT.ok;
}

/** Waits for the end of a code; gives it up when one is told to stop. */
async function waitForUse(server: Server, id: string, io: CliIo): Promise<number> {
  const path = `${PATH}/${encodeURIComponent(id)}`;
  const stopping = listenToStop(io);
  let isStopped = false;
  const stopped = stopping.requested.then(() => void (isStopped = true));
  try {
    for (;;) {
      await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, POLL_MS))]);
      if (isStopped) {
        await callServer(server, { method: "DELETE", path });
        io.err("The code is good for nothing any more.\n");
        return EXIT.failed;
      }
      const { state, client } = await callServer(server, { method: "GET", path });
      if (state === "used") {
        io.err(`Used by ${printable(textOf(client))}: it is signed in.\n`);
        return EXIT.ok;
      }
      if (state !== "waiting") {
        throw new CliFailure("the code has expired: nobody used it for two minutes", {
          hint: "Run `holon pair` again.",
        });
      }
    }
  } finally {
    stopping.dispose();
  }
}

/** The server's sentences say what to start; the first is the fact, the rest is what to do. */
function unreachable(place: Json): CliFailure {
  const [fact = "No phone reaches this server", ...rest] = notesOf(place).join(" ").split(
    /(?<=\.) /,
  );
  const sentence = fact.replace(/\.$/, "");
  return new CliFailure(sentence.charAt(0).toLowerCase() + sentence.slice(1), {
    ...(rest.length === 0 ? {} : { hint: rest.join(" ") }),
  });
}

function notesOf({ notes }: Json): readonly string[] {
  return Array.isArray(notes) ? notes.map(textOf) : [];
}
