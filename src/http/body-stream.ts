import { refusal, type AppError } from "../errors.ts";

/** A request body that is read only as far as its consumer asks. */
export interface BodyStream {
  /** The declared Content-Length; 0 for a chunked body. */
  declaredBytes: number;
  /**
   * Reads to the end, or until more than `maxBytes` have arrived. Returns the whole body if it
   * ended.
   */
  readTo: (maxBytes: number) => Promise<Uint8Array | undefined>;
  /** Sets a deadline for the rest of the body, after which `readTo` throws body_too_slow. */
  endWithin: (ms: number) => void;
  /** Stops reading: `readTo` throws this error. */
  stop: (error: AppError) => void;
  /**
   * Ends the use of the body. Reads and discards the rest, up to a limit: if the server responds
   * and disconnects during the upload, many clients never see the response. Returns undefined if
   * nothing is left.
   */
  close: () => Promise<void> | undefined;
}

/**
 * Maximum bytes of an unwanted body that `close` discards; our own choice, above the limit of any
 * route.
 */
const MAX_DROPPED_BYTES = 20 * 1_048_576;

/** Opens the body of a request without reading it. */
export function openBodyStream(request: Request): BodyStream {
  const reader = request.body?.getReader();
  const declared = request.headers.get("Content-Length") ?? "";
  const declaredBytes = /^\d{1,15}$/.test(declared) ? Number(declared) : 0;
  /** Buffer; its first `length` bytes have arrived. */
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
   * Appends to the buffer. A declared size, which the caller of `readTo` bounds, is allocated at
   * once.
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
    await new Promise((resolve) => setTimeout(resolve)); // let the response go out first
    try {
      if (declaredBytes <= MAX_DROPPED_BYTES) await drop();
      if (!hasEnded) await reader?.cancel();
    } catch {
      hasEnded = true; // the client disconnected
    } finally {
      clearTimeout(timer);
    }
  }

  function stop(error: AppError): void {
    stoppedBy = error;
    void reader?.cancel(); // unblocks the pending read
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
