/** The longest id that is kept: the log holds one for each accepted mail. */
const MAX_CHARACTERS = 36;

/**
 * The places where servers put the id of an accepted mail in their reply, by the words around it.
 */
const PLACES = [
  /\bqueued as:?\s+<?([^\s<>;,()]+)/i, // Postfix, Haraka, many providers
  /\[InternalId=(\d+)/i, // Exchange
  /\bid\s*[=:]\s*<?([^\s<>;,()]+)/i, // Exim, Mailgun
  /^(?:2\.\d\.\d\s+)?(\S{8,})\s+Message accepted for delivery/i, // Sendmail
  /^(?:2\.\d\.\d\s+)?Ok:?\s+(?:\d{9,10}\s+)?(?:qp\s+)?([\w.+-]{5,})/i, // SES, Gmail, qmail
];

const DIGIT = /\d/;

/**
 * Returns the id that a server gave an accepted mail, from the words of its reply; undefined if it
 * names none. A longer id is cut: its beginning finds it in the log of the server.
 */
export function queueIdOf(text: string): string | undefined {
  if (!DIGIT.test(text)) return undefined; // every id has one
  for (const place of PLACES) {
    const id = place.exec(text)?.[1];
    if (id !== undefined && DIGIT.test(id)) return id.slice(0, MAX_CHARACTERS);
  }
  return undefined;
}
