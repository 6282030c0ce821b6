/*
 * Gzip in a stream that goes only as fast as its consumer. CompressionStream and
 * DecompressionStream would read ahead without limit and keep the result in memory.
 */
import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";

/** Compresses a text that arrives in parts. */
export const gzip = (texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> =>
  through(texts, createGzip());

/** Decompresses chunks of any size. Throws Z_BUF_ERROR if truncated, or another error of zlib. */
export const gunzip = (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> =>
  through(chunks, createGunzip());

/** The consumer gets the errors of both. */
async function* through(source: AsyncIterable<unknown>, transform: Transform) {
  yield* pipeline(Readable.from(source), transform, () => {});
}
