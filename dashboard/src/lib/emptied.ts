/** Empties a field whose text was sent. What somebody typed meanwhile stays. */
export const emptied =
  (sent: string) =>
  (now: string): string =>
    now === sent ? "" : now;
