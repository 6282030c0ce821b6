import { AppError, bodyOf, refusal } from "../errors.ts";
import { errorText, logLine } from "../lib/log-line.ts";

/**
 * The interval of white space in a long answer, which keeps proxies from giving it up (API
 * reference §11.5).
 */
const KEEP_ALIVE_MS = 15_000;

/** The headers of such an answer: compression would hold the white space back until its end. */
export const STREAMED_JSON = { "Content-Type": "application/json", "Content-Encoding": "identity" };

const encoder = new TextEncoder();

/** Returns the body that tells of a fault after the start of an answer. */
function faultOf(error: unknown) {
  if (error instanceof AppError) return bodyOf(error);
  logLine("error", "long_answer_failed", { error: errorText(error) });
  return bodyOf(refusal("internal_error", {}));
}

/**
 * Returns the body of a slow answer: JSON white space until `make` ends, then its result.
 * `isWanted` tells `make` whether the caller is still there. Only the body can report a fault after
 * the start.
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
