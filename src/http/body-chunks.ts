import { refusal } from "../errors.ts";
import { sizeInWords } from "./read-body.ts";

/** Bounds of a body that is processed as it arrives. */
export interface StreamBounds {
  bytes: number;
  /** Maximum pause between two chunks. */
  pauseMs: number;
  /** Maximum total time. */
  wholeMs: number;
}

/** Maximum number of unwanted bytes to read and discard (body-stream.ts). */
const MAX_DROPPED_BYTES = 20 * 1_048_576;
const DROP_PAUSE_MS = 5_000;

/**
 * Yields the chunks of a body as they arrive. If the consumer stops early, `later` discards the
 * rest after the response, up to a limit: many clients would miss a response that aborts their
 * upload. Throws payload_too_large, body_paused or body_too_slow.
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
  await new Promise((resolve) => setTimeout(resolve)); // let the response go out first
  try {
    for (let left = MAX_DROPPED_BYTES; left > 0;) {
      const { done, value } = await within(DROP_PAUSE_MS, reader.read());
      if (done) return;
      left -= value.length;
    }
    await reader.cancel();
  } catch {
    reader.releaseLock(); // the client disconnected or stalled
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
