import { createInterface } from "node:readline/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Fetch } from "../cloudflare/api.ts";
import { compilerIn, wranglerIn, type RunTool } from "../cloudflare/run-tool.ts";
import { readAnswer } from "../read-answer.ts";
import type { Environment } from "../local/settings.ts";

/** External dependencies of a deployment; tests replace them. */
export interface Machine {
  /** Root directory of the checkout. */
  directory: string;
  env: Environment;
  runWrangler: RunTool;
  runCompiler: RunTool;
  fetch: Fetch;
  /**
   * Asks one question; `undefined` without a terminal. Throws OperatorError if there is no answer.
   */
  ask: ((question: string) => Promise<string>) | undefined;
  say: (line: string) => void;
  now: () => number;
  wait: (ms: number) => Promise<void>;
}

/** Returns the real machine. */
export function thisMachine(directory: string, env: NodeJS.ProcessEnv): Machine {
  const hasTerminal = process.stdin.isTTY && process.stdout.isTTY && !env["CI"];
  return {
    directory,
    env,
    runWrangler: wranglerIn(directory, env),
    runCompiler: compilerIn(directory, env),
    fetch,
    ask: hasTerminal ? askOnTerminal : undefined,
    say: (line) => process.stdout.write(`${line}\n`),
    now: () => Date.now(),
    wait: (ms) => delay(ms),
  };
}

async function askOnTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return (await readAnswer(terminal, question)).trim();
}
