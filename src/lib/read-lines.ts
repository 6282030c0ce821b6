import { Buffer } from "node:buffer";

const LINE_FEED = 0x0a;

/** Yields the lines of a text that arrives in chunks. Throws RangeError for a longer line. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...held, chunk.subarray(start, end)]);
      held = [];
      length = 0;
      start = end + 1;
    }
    held.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > maxBytes) throw new RangeError("the line is too long");
  }
  if (length > 0) yield Buffer.concat(held);
}
