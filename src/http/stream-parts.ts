import { errorText, logLine } from "../lib/log-line.ts";

/**
 * Returns a body of these parts, which are made one at a time, when the caller has taken the one
 * before. The first is made before the answer begins, so its faults are answered; a later fault
 * aborts the connection, so the file is visibly incomplete. `list` names the file in the log.
 */
export async function streamParts(
  list: string,
  parts: AsyncGenerator<Uint8Array, void, undefined>,
): Promise<ReadableStream<Uint8Array>> {
  let ready: IteratorResult<Uint8Array, void> | undefined = await parts.next();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = ready ?? (await parts.next());
          ready = undefined;
          if (done === true) controller.close();
          else controller.enqueue(value);
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
