/** Wrong usage of a command; the usage follows its message. */
export class UsageError extends Error {}

/** A refusal with a message for the operator, printed without a stack. */
export class OperatorError extends Error {}

/**
 * Runs a command and ends the process with its exit code. A refusal prints one line, wrong usage
 * also prints the usage, and any other error is a fault of ours and prints its stack.
 */
export async function runCommand(usage: string, command: () => Promise<void> | void) {
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${explain(error, usage)}\n`);
    process.exitCode = 1;
  }
}

function explain(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof OperatorError) return error.message;
  // parseArgs from node:util reports unknown and incomplete options with these codes.
  if (error instanceof TypeError && "code" in error && String(error.code).includes("PARSE_ARGS")) {
    return `${error.message}\n\n${usage}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
