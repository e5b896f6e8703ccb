/**
 * Child processes in process groups of their own.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { hostError } from "./host_error.ts";
import { OutputCapture } from "./output_capture.ts";
import { processStartTime } from "./process_identity.ts";
import { findProgram } from "./program_path.ts";
import type { HostProcess, HostProcesses, ProcessExit, SpawnOptions } from "./types.ts";

/** How long pipes may stay open after the process's end: a grandchild may hold them. */
const PIPES_GRACE_MS = 1000;

/** Processes of this machine. */
export function createProcesses(): HostProcesses {
  return {
    pid: process.pid,
    spawn: spawnProcess,
    startTime: processStartTime,
    killGroup,
  };
}

async function spawnProcess(options: SpawnOptions): Promise<HostProcess> {
  const [program, ...args] = options.command;
  const path = findProgram(program, options.cwd, options.env["PATH"] ?? "");
  const child = spawn(path, args, {
    argv0: program,
    cwd: options.cwd,
    env: { ...options.env },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exited = watch(child, options.outputLimit);
  await started(child, program);
  const pid = child.pid!;
  // A program that doesn't read its input breaks the pipe: its own business.
  child.stdin!.on("error", () => {});
  let begun = false;
  return {
    pid,
    startTime: processStartTime(pid),
    begin() {
      if (!begun) child.stdin!.end(options.stdin);
      begun = true;
    },
    exited,
    kill: (signal) => killGroup(pid, signal),
  };
}

function started(child: ChildProcess, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => reject(hostError(error, `Starting ${program}`)));
  });
}

function watch(child: ChildProcess, outputLimit: number): Promise<ProcessExit> {
  const stdout = new OutputCapture(outputLimit);
  const stderr = new OutputCapture(outputLimit);
  child.stdout!.on("data", (chunk: Uint8Array) => stdout.add(chunk));
  child.stderr!.on("data", (chunk: Uint8Array) => stderr.add(chunk));
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = (code: number | null, signal: string | null) => {
      clearTimeout(timer);
      child.stdout!.destroy();
      child.stderr!.destroy();
      child.stdin!.destroy();
      resolve({
        code: signal === null ? code : null,
        signal,
        stdout: stdout.text(),
        stderr: stderr.text(),
        stdoutTruncated: stdout.truncated,
        stderrTruncated: stderr.truncated,
      });
    };
    child.once("exit", (code, signal) => {
      timer = setTimeout(() => settle(code, signal), PIPES_GRACE_MS);
    });
    child.once("close", settle);
  });
}

/** Signals a process group by its leader's pid; false when it is gone. */
function killGroup(pid: number, signal: "SIGKILL" | "SIGTERM"): boolean {
  // 0 and 1 would mean our own group and every process there is.
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    // It is gone, or belongs to somebody else by now.
    return false;
  }
}
