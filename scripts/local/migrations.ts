import { fileURLToPath } from "node:url";
import { OperatorError } from "../command-line.ts";
import { COMPILE_CACHE } from "./compile-cache.ts";
import { startProcessGroup } from "./process-group.ts";

const PROGRAM = fileURLToPath(new URL("./apply-migrations.ts", import.meta.url));

/**
 * Starts applying the migrations to the local database; `finished` throws OperatorError with the
 * output.
 */
export function startLocalMigrations(stateDir: string) {
  const output: string[] = [];
  const env = { ...process.env, ...COMPILE_CACHE };
  const group = startProcessGroup([PROGRAM, stateDir], env, (line) => output.push(line));
  const finish = async () => {
    if ((await group.exited) === 0) return;
    throw new OperatorError(`applying the migrations failed:\n${output.join("\n")}`);
  };
  return { finished: finish(), stop: () => group.stop() };
}
