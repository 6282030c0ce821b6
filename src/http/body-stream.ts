import { refusal, type AppError } from "../errors.ts";

/** The body of a request; it reads no further than its user asks. */
export interface BodyStream {
  /** The size that the caller declared; 0 for a body in chunks. */
  declaredBytes: number;
  /**
   * Reads on to the end, or until there are more bytes than these; returns the whole of a body that
   * ended.
   */
  readTo: (maxBytes: number) => Promise<Uint8Array | undefined>;
  /** Gives the rest of the body this long to arrive; after that `readTo` throws body_too_slow. */
  endWithin: (ms: number) => void;
  /** Stops reading: `readTo` throws this error. */
  stop: (error: AppError) => void;
  /**
   * Ends the use of the body. It reads and drops the rest, up to a bound: when a server answers and
   * hangs up while the caller still writes, many callers never see the answer. Returns undefined
   * for a body without a rest.
   */
  close: () => Promise<void> | undefined;
}

/**
 * Bytes of an unwanted body that `close` reads and drops; our own choice: more than any route
 * takes.
 */
const MAX_DROPPED_BYTES = 20 * 1_048_576;

/** Opens the body of a request without reading it. */
export function openBodyStream(request: Request): BodyStream {
  const reader = request.body?.getReader();
  const declared = request.headers.get("Content-Length") ?? "";
  const declaredBytes = /^\d{1,15}$/.test(declared) ? Number(declared) : 0;
  /** Starts with the `length` bytes that have arrived. */
  let held = new Uint8Array();
  let length = 0;
  let hasEnded = reader === undefined;
  let stoppedBy: AppError | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const readOn = async () => reader?.read() ?? { done: true, value: undefined };

  async function readTo(maxBytes: number): Promise<Uint8Array | undefined> {
    if (declaredBytes > maxBytes) return undefined;
    while (!hasEnded && length <= maxBytes) {
      const { done, value } = await readOn();
      if (stoppedBy) throw stoppedBy;
      hasEnded = done;
      if (value) keep(value);
    }
    return hasEnded && length <= maxBytes ? held.subarray(0, length) : undefined;
  }

  /**
   * Appends to the bytes. A declared size, which the caller of `readTo` bounds, is taken at once.
   */
  function keep(chunk: Uint8Array): void {
    const needed = length + chunk.length;
    if (needed > held.length) {
      const larger = new Uint8Array(Math.max(needed, declaredBytes, 2 * held.length));
      larger.set(held.subarray(0, length));
      held = larger;
    }
    held.set(chunk, length);
    length = needed;
  }

  async function drop(): Promise<void> {
    const startBytes = length;
    while (!hasEnded && length - startBytes <= MAX_DROPPED_BYTES) {
      const { done, value } = await readOn();
      hasEnded = done;
      length += value?.length ?? 0;
    }
  }

  async function dropRest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve)); // the answer goes first
    try {
      if (declaredBytes <= MAX_DROPPED_BYTES) await drop();
      if (!hasEnded) await reader?.cancel();
    } catch {
      hasEnded = true; // the caller has hung up
    } finally {
      clearTimeout(timer);
    }
  }

  function stop(error: AppError): void {
    stoppedBy = error;
    void reader?.cancel(); // ends the read that waits
  }

  return {
    declaredBytes,
    readTo,
    stop,
    endWithin: (ms) => {
      const late = () => stop(refusal("body_too_slow", { seconds: ms / 1_000 }));
      if (!hasEnded) timer = setTimeout(late, ms);
    },
    close: () => {
      held = new Uint8Array();
      if (!hasEnded) return dropRest();
      clearTimeout(timer);
      return undefined;
    },
  };
}
