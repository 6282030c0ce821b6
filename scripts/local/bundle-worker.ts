import { OperatorError } from "../command-line.ts";
import type { ProcessGroup } from "./process-group.ts";
import { startWrangler } from "./wrangler.ts";

/** Build of the Worker that `wrangler deploy` would upload, into `directory` as `index.js`. */
export interface Bundling extends Pick<ProcessGroup, "stop"> {
  /** Rejects with wrangler's output if the code does not build. */
  finished: Promise<void>;
}

export function bundleWorker(directory: string, ...options: string[]): Bundling {
  const output: string[] = [];
  const build = ["deploy", ...options, "--dry-run", "--outdir", directory];
  const { exited, stop } = startWrangler(build, (line) => output.push(line));
  const finish = async () => {
    if ((await exited) === 0) return;
    throw new OperatorError(`${output.join("\n")}\nthe Worker does not build`);
  };
  return { finished: finish(), stop };
}
