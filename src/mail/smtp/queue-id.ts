/** Maximum length of a stored id: the log holds one per accepted mail. */
const MAX_CHARACTERS = 36;

/** Patterns for the queue id in a server's reply. */
const PLACES = [
  /\bqueued as:?\s+<?([^\s<>;,()]+)/i, // Postfix, Haraka, many providers
  /\[InternalId=(\d+)/i, // Exchange
  /\bid\s*[=:]\s*<?([^\s<>;,()]+)/i, // Exim, Mailgun
  /^(?:2\.\d\.\d\s+)?(\S{8,})\s+Message accepted for delivery/i, // Sendmail
  /^(?:2\.\d\.\d\s+)?Ok:?\s+(?:\d{9,10}\s+)?(?:qp\s+)?([\w.+-]{5,})/i, // SES, Gmail, qmail
];

const DIGIT = /\d/;

/**
 * Extracts the queue id from the reply to an accepted mail; undefined if there is none. A long id
 * is truncated: its prefix still finds it in the server's log.
 */
export function queueIdOf(text: string): string | undefined {
  if (!DIGIT.test(text)) return undefined; // every id contains a digit
  for (const place of PLACES) {
    const id = place.exec(text)?.[1];
    if (id !== undefined && DIGIT.test(id)) return id.slice(0, MAX_CHARACTERS);
  }
  return undefined;
}
