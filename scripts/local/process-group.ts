import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

const STOP_TIMEOUT_MS = 5_000;
const STOP_POLL_MS = 50;

/**
 * A program with all its children, which end together: otherwise wrangler leaves workerd behind.
 */
export interface ProcessGroup {
  /** The exit code, or the name of the signal that ended it. */
  exited: Promise<number | string>;
  /** Terminates the group, kills it after five seconds, and resolves when all of it is gone. */
  stop: () => Promise<void>;
}

/** Starts a Node program in its own process group; `onLine` receives its output line by line. */
export function startProcessGroup(
  args: string[],
  env: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
): ProcessGroup {
  const child = spawn(process.execPath, args, {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const signalGroup = (signal: NodeJS.Signals | 0): "sent" | "gone" => {
    if (child.pid === undefined) return "gone";
    try {
      process.kill(-child.pid, signal);
      return "sent";
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ESRCH") return "gone";
      throw error;
    }
  };
  // The group must not outlive this process, unless SIGKILL ends it.
  const killGroup = () => signalGroup("SIGKILL");
  process.once("exit", killGroup);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      onLine(stripVTControlCharacters(line));
    });
  }
  /** Forgets the group once all of it is gone, because its id may be reused. */
  const forgetIfGone = () => {
    if (signalGroup(0) === "gone") process.off("exit", killGroup);
  };
  const exited = new Promise<number | string>((resolve, reject) => {
    child.once("error", (error) => {
      forgetIfGone();
      reject(error);
    });
    child.once("close", (code, signal) => {
      forgetIfGone();
      resolve(code ?? signal ?? "unknown");
    });
  });
  return {
    exited,
    async stop() {
      signalGroup("SIGINT");
      for (let waitedMs = 0; signalGroup(0) === "sent"; waitedMs += STOP_POLL_MS) {
        if (waitedMs === STOP_TIMEOUT_MS) killGroup();
        await delay(STOP_POLL_MS);
      }
      process.off("exit", killGroup);
    },
  };
}
