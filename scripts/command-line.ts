/** Invalid usage of a command; printed with the usage text. */
export class UsageError extends Error {}

/** An expected failure with a message for the operator, printed without a stack trace. */
export class OperatorError extends Error {}

/** Remedies for file system errors, by code. */
const REMEDIES = new Map([
  ["EACCES", "give this user permission"],
  ["EPERM", "give this user permission"],
  ["EROFS", "use a writable location"],
  ["ENOSPC", "free up disk space"],
]);

/**
 * Runs a command and exits with its exit code. `--help` prints only the usage. An expected failure,
 * including a file system error, prints one line. Invalid usage also prints the usage text. Any
 * other error is a bug and prints its stack trace.
 */
export async function runCommand(usage: string, command: () => Promise<void> | void) {
  if (process.argv.slice(2).some((word) => word === "--help" || word === "-h")) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${explain(error, usage)}\n`);
    process.exitCode = 1;
  }
}

/** Returns the only positional argument. Throws UsageError for any other arguments. */
export function readVerb<Verb extends string>(words: string[], verbs: readonly Verb[]): Verb {
  const [word, surplus] = words;
  const verb = verbs.find((known) => known === word);
  if (!verb) throw new UsageError(`the command must be ${verbs.join(" or ")}`);
  if (surplus === undefined) return verb;
  throw new UsageError(`"${surplus}" does not belong to an option: put text with spaces in quotes`);
}

function explain(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof OperatorError) return error.message;
  // parseArgs from node:util reports unknown and incomplete options with these codes.
  if (error instanceof TypeError && "code" in error && String(error.code).includes("PARSE_ARGS")) {
    return `${error.message}\n\n${usage}`;
  }
  const remedy = error instanceof Error && "code" in error && REMEDIES.get(String(error.code));
  if (remedy) return `${error.message}: ${remedy}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
