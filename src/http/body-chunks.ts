import { refusal } from "../errors.ts";
import { sizeInWords } from "./read-body.ts";

/** The bounds of a body that is processed while it arrives. */
export interface StreamBounds {
  bytes: number;
  /** The longest pause between two chunks. */
  pauseMs: number;
  /** The longest time in all. */
  wholeMs: number;
}

/** Bytes of an unwanted rest that are read and dropped (body-stream.ts). */
const MAX_DROPPED_BYTES = 20 * 1_048_576;
const DROP_PAUSE_MS = 5_000;

/**
 * Yields the chunks of a body as they arrive. When its user stops earlier, `later` drops the rest
 * after the answer, up to a bound: many callers would not see an answer that ends their upload.
 * Throws payload_too_large, body_paused or body_too_slow beyond the bounds.
 */
export async function* bodyChunks(
  body: ReadableStream<Uint8Array> | null,
  { bytes, pauseMs, wholeMs }: StreamBounds,
  { now, later }: { now: () => number; later: (work: Promise<void>) => void },
): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  const endsAt = now() + wholeMs;
  let length = 0;
  try {
    for (;;) {
      if (now() > endsAt) throw refusal("body_too_slow", { seconds: wholeMs / 1_000 });
      const { done, value } = await within(pauseMs, reader.read());
      if (done) return;
      length += value.length;
      if (length > bytes) throw refusal("payload_too_large", { limit: sizeInWords(bytes) });
      yield value;
    }
  } finally {
    later(dropRest(reader));
  }
}

async function dropRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve)); // the answer goes first
  try {
    for (let left = MAX_DROPPED_BYTES; left > 0;) {
      const { done, value } = await within(DROP_PAUSE_MS, reader.read());
      if (done) return;
      left -= value.length;
    }
    await reader.cancel();
  } catch {
    reader.releaseLock(); // the caller has hung up, or sends nothing any more
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(refusal("body_paused", { seconds: ms / 1_000 })), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
