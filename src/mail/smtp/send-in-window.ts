import type { ChunkedWindow } from "./chunked-window.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";

/** Sends one message alone through a window, in one round trip, and finishes the window. */
export async function sendInWindow(
  window: ChunkedWindow,
  message: OutgoingMessage,
): Promise<SendResult> {
  const told = Promise.withResolvers<SendResult>();
  const writing = window
    .post(message, async (result) => told.resolve(result))
    .finally(() => window.finish());
  await Promise.all([writing, window.readReplies()]);
  return told.promise;
}
