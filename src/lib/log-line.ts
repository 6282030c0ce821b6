/**
 * Writes one structured line to the runtime's log. Never pass keys, passwords or message bodies.
 * Email addresses are redacted, because server replies often contain one.
 */
export function logLine(
  level: "info" | "warn" | "error",
  event: string,
  facts: Record<string, string | number | boolean | undefined>,
): void {
  const masked = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === "string" ? value.replaceAll(ADDRESS, "[address]") : value,
  ]);
  console[level](JSON.stringify({ level, event, ...Object.fromEntries(masked) }));
}

/** An email address, plain or as in a URL. Its length is bounded, so the search is linear. */
const ADDRESS =
  /(?:"[^"\n]{1,64}"|[^\s<>"'(),:;=[\]\\/&?@%]{1,64})(?:@|%40)[^\s<>"'(),:;=[\]\\/&?@%]+/gi;

/**
 * Returns the message of any thrown value with its causes. Omits drizzle's own message of a failed
 * statement, which contains the SQL and every parameter, including personal addresses.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("query" in error && "params" in error && error.cause !== undefined)
    return errorText(error.cause);
  return error.cause === undefined ? error.message : `${error.message}: ${errorText(error.cause)}`;
}
