/** Codes in a text about one failure; undefined if absent. */
export interface Codes {
  /** Three-digit reply code (RFC 5321 section 4.2), 400 to 599. */
  code: number | undefined;
  /** Enhanced status code such as "5.1.1" (RFC 3463). */
  enhanced: string | undefined;
}

/** A standalone reply code: not part of a number, an IP address, a size or a word. */
const REPLY_CODE =
  /(?<![\w.:@/+$=<-])([45][0-5]\d)(?=[\s:;,)\]>'"-]|$)(?!-?\s*(?:\d|[kmg]i?b\b|bytes|hours?|minutes?|days?|seconds?))/gi;
const REPLY_CODE_OF_ENHANCED = /(?<![\w.])([45]\d\d)[ -]#?[245]\.\d{1,3}\.\d{1,3}/;
const ENHANCED_CODE = /(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/;

/**
 * Extracts the reply code and the first enhanced code of a text, in linear time. Of several reply
 * codes, the first with an enhanced code wins, then the first permanent one: a busy server rejected
 * later.
 */
export function readCodes(text: string): Codes {
  const bare = [...text.matchAll(REPLY_CODE)].map(([, found]) => found);
  const code =
    REPLY_CODE_OF_ENHANCED.exec(text)?.[1] ?? bare.find((one) => one?.startsWith("5")) ?? bare[0];
  return {
    code: code === undefined ? undefined : Number(code),
    enhanced: ENHANCED_CODE.exec(text)?.[1],
  };
}
