import { errorText, logLine } from "../lib/log-line.ts";

/**
 * The bytes that are ready before the answer begins. A fault before them is answered with a status;
 * after them, browsers load anew what broke off.
 */
const READY_BYTES = 65_536;

/**
 * Returns a body of these parts, which are made one at a time, when the caller has taken the one
 * before. The first ones are made before the answer begins, so their faults are answered; a later
 * fault aborts the connection, so the file is visibly incomplete. `list` names the file in the log.
 */
export async function streamParts(
  list: string,
  parts: AsyncGenerator<Uint8Array, void, undefined>,
): Promise<ReadableStream<Uint8Array>> {
  const ready: Uint8Array[] = [];
  for (let bytes = 0; bytes < READY_BYTES;) {
    const { done, value } = await parts.next();
    if (done === true) break;
    ready.push(value);
    bytes += value.length;
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          // a generator that has ended answers so again
          const part = ready.shift() ?? (await parts.next()).value;
          if (part === undefined) controller.close();
          else controller.enqueue(part);
        } catch (error) {
          logLine("error", "export_failed", { list, error: errorText(error) });
          throw error;
        }
      },
      cancel: async () => void (await parts.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}
