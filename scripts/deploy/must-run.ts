import { outputOf, type RunTool, type ToolRun } from "../cloudflare/run-tool.ts";
import { OperatorError } from "../command-line.ts";

/** Runs wrangler. Throws OperatorError with its output if it fails. */
export async function mustRun(runWrangler: RunTool, args: string[]): Promise<ToolRun> {
  const run = await runWrangler(args);
  if (run.status === 0) return run;
  throw new OperatorError(`\`wrangler ${args.join(" ")}\` failed:\n${outputOf(run)}`);
}
