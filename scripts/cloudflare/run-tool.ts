import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { COMPILE_CACHE } from "../local/compile-cache.ts";
import type { Environment } from "../local/settings.ts";

/** Result of a completed program. */
export interface ToolRun {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs a program with arguments; `onLine` receives its output line by line. */
export type RunTool = (args: string[], onLine?: (line: string) => void) => Promise<ToolRun>;

const MODULES = new URL("../../node_modules/", import.meta.url);

/** wrangler settings: no prompts (it has no terminal), no banner, no telemetry. */
const QUIET = { WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false" };

/** Runs this project's wrangler on the user's account. */
export function wranglerIn(directory: string, env: Environment): RunTool {
  const program = fileURLToPath(new URL("wrangler/bin/wrangler.js", MODULES));
  return nodeProgram(program, directory, { ...env, ...QUIET });
}

/** Runs this project's TypeScript compiler. */
export function compilerIn(directory: string, env: Environment): RunTool {
  return nodeProgram(fileURLToPath(new URL("typescript/bin/tsc", MODULES)), directory, env);
}

/** Returns the output of a failed program without empty lines. */
export function outputOf({ stdout, stderr }: ToolRun): string {
  const lines = `${stdout}\n${stderr}`.split("\n").map((line) => line.trimEnd());
  return lines.filter((line) => line !== "").join("\n");
}

// Runs the program with Node directly, because on Windows `node_modules/.bin` contains shell
// scripts.
function nodeProgram(program: string, directory: string, env: Environment): RunTool {
  return (args, onLine) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...args], {
        cwd: directory,
        env: { ...process.env, ...COMPILE_CACHE, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const kept = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const) {
        createInterface({ input: child[name] }).on("line", (colored) => {
          const line = stripVTControlCharacters(colored);
          kept[name] += `${line}\n`;
          onLine?.(line);
        });
      }
      child.once("error", reject);
      child.once("close", (code) => resolve({ status: code ?? 1, ...kept }));
    });
}
