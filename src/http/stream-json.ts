import { AppError, bodyOf, refusal } from "../errors.ts";
import { errorText, logLine } from "../lib/log-line.ts";

/**
 * Interval of whitespace in a long response, which keeps proxies from timing out (API reference
 * §11.5).
 */
const KEEP_ALIVE_MS = 15_000;

/** Headers of such a response: compression would buffer the whitespace until the end. */
export const STREAMED_JSON = { "Content-Type": "application/json", "Content-Encoding": "identity" };

const encoder = new TextEncoder();

/** Returns the response body of an error after the response started. */
function faultOf(error: unknown) {
  if (error instanceof AppError) return bodyOf(error);
  logLine("error", "long_answer_failed", { error: errorText(error) });
  return bodyOf(refusal("internal_error", {}));
}

/**
 * Returns the body of a slow response: JSON whitespace until `make` ends, then its result.
 * `isWanted` tells `make` whether the client is still connected. After the start, only the body can
 * report an error.
 */
export function streamJson(
  waitUntil: (work: Promise<unknown>) => void,
  make: (isWanted: () => boolean) => Promise<unknown>,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  let isWanted = true;
  const gone = () => (isWanted = false);
  const keepAlive = setInterval(
    () => void writer.write(encoder.encode("\n")).catch(gone),
    KEEP_ALIVE_MS,
  );
  const work = async () => {
    try {
      await writer.write(encoder.encode("\n"));
      const body = await make(() => isWanted);
      await writer.write(encoder.encode(JSON.stringify(body)));
    } catch (error) {
      if (!isWanted) return;
      await writer.write(encoder.encode(JSON.stringify(faultOf(error))));
    } finally {
      clearInterval(keepAlive);
      await writer.close().catch(gone);
    }
  };
  waitUntil(work());
  return readable;
}
