/**
 * Writes one structured line to the runtime's log. Never pass keys, passwords or message bodies.
 */
export function logLine(
  level: "info" | "warn" | "error",
  event: string,
  facts: Record<string, string | number | boolean | undefined>,
): void {
  console[level](JSON.stringify({ level, event, ...facts }));
}

/**
 * Returns the message of any thrown value with its causes. It omits drizzle's own message of a
 * failed statement, which contains the SQL and every parameter, including people's addresses.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("query" in error && "params" in error && error.cause !== undefined)
    return errorText(error.cause);
  return error.cause === undefined ? error.message : `${error.message}: ${errorText(error.cause)}`;
}
