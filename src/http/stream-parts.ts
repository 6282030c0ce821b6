import { errorText, logLine } from "../lib/log-line.ts";

/**
 * Bytes to generate before the response starts. An error within them gets a status; if a later
 * error aborts the connection, browsers retry the download.
 */
const READY_BYTES = 65_536;

/**
 * Returns a body of these parts, generated one at a time as the client consumes them
 * (backpressure). The first ones are generated before the response starts, so their errors get a
 * status; a later error aborts the connection, so the file is visibly incomplete. `list` names the
 * file in the log.
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
          // a finished generator returns `done` again
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
