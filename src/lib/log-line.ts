/** Writes one structured line to the runtime's log; never pass keys, passwords or message bodies. */
export function logLine(
  level: "info" | "warn" | "error",
  event: string,
  facts: Record<string, string | number | boolean | undefined>,
): void {
  console[level](JSON.stringify({ level, event, ...facts }));
}

/** The words of anything that was thrown, with its causes. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${errorText(error.cause)}`;
}
