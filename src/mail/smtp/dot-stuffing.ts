const DOT = 46;
const LF = 10;
const CR = 13;

/** The line that ends a message, without the CRLF before it (RFC 5321 section 4.1.1.4). */
export const FINAL_DOT = Uint8Array.of(DOT, CR, LF);

/**
 * Doubles the dot of every line that starts with one (RFC 5321 section 4.5.2), in chunks of one
 * message. Yields the chunk itself if nothing changes.
 */
export function* stuffDots(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let before = LF;
  for (const chunk of chunks) {
    yield stuffChunk(chunk, leadingDots(chunk, before));
    before = chunk.at(-1) ?? before;
  }
}

function stuffChunk(chunk: Uint8Array, dots: readonly number[]): Uint8Array {
  if (dots.length === 0) return chunk;
  const stuffed = new Uint8Array(chunk.length + dots.length);
  let copied = 0;
  for (const [added, dot] of dots.entries()) {
    stuffed.set(chunk.subarray(copied, dot), copied + added);
    stuffed[dot + added] = DOT;
    copied = dot;
  }
  stuffed.set(chunk.subarray(copied), copied + dots.length);
  return stuffed;
}

/**
 * Finds leading dots; `before` is the byte before the chunk. Dots are rare, so the search jumps
 * from dot to dot. A bare LF counts as a line end, to be safe.
 */
function leadingDots(chunk: Uint8Array, before: number): number[] {
  const found: number[] = [];
  for (let dot = chunk.indexOf(DOT); dot >= 0; dot = chunk.indexOf(DOT, dot + 1)) {
    const last = dot === 0 ? before : chunk[dot - 1];
    if (last === LF || last === CR) found.push(dot);
  }
  return found;
}
