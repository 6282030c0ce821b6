import { joinBytes } from "./command.ts";

const DOT = 46;
const LF = 10;
const CR = 13;
const NOTHING = new Uint8Array();

/** The line that ends a message, without the CRLF before it (RFC 5321 section 4.1.1.4). */
export const FINAL_DOT = Uint8Array.of(DOT, CR, LF);

/**
 * Doubles the dot of every line that starts with one and ends the last line (RFC 5321
 * section 4.5.2). Returns `data` itself when nothing changes.
 */
export function stuffDots(data: Uint8Array): Uint8Array {
  const dots = leadingDots(data);
  const lineEnd = missingLineEnd(data);
  if (dots.length === 0 && lineEnd.length === 0) return data;
  const stuffed = new Uint8Array(data.length + dots.length + lineEnd.length);
  let copied = 0;
  for (const [added, dot] of dots.entries()) {
    stuffed.set(data.subarray(copied, dot), copied + added);
    stuffed[dot + added] = DOT;
    copied = dot;
  }
  stuffed.set(data.subarray(copied), copied + dots.length);
  stuffed.set(lineEnd, data.length + dots.length);
  return stuffed;
}

/**
 * Ends the last line, for BDAT, which needs no dots. Returns `data` itself when it already ends.
 */
export function endLastLine(data: Uint8Array): Uint8Array {
  const lineEnd = missingLineEnd(data);
  return lineEnd.length === 0 ? data : joinBytes(data, lineEnd);
}

/**
 * Finds leading dots. Dots are rare, so the search goes from dot to dot. A bare LF counts as a line
 * end, to be safe.
 */
function leadingDots(data: Uint8Array): number[] {
  const found: number[] = [];
  for (let dot = data.indexOf(DOT); dot >= 0; dot = data.indexOf(DOT, dot + 1)) {
    if (dot === 0 || data[dot - 1] === LF || data[dot - 1] === CR) found.push(dot);
  }
  return found;
}

function missingLineEnd(data: Uint8Array): Uint8Array {
  if (data.at(-1) === LF && data.at(-2) === CR) return NOTHING;
  return data.at(-1) === CR ? Uint8Array.of(LF) : Uint8Array.of(CR, LF);
}
