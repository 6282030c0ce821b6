/** Clears a field whose text was sent, unless the user has typed something else meanwhile. */
export const emptied =
  (sent: string) =>
  (now: string): string =>
    now === sent ? "" : now;
