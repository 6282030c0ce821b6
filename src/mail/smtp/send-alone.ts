import type { ChunkedWindow } from "./chunked-window.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import type { ChunkingState } from "./session-pool.ts";
import type { SmtpSession } from "./session.ts";

/**
 * Sends one message, in one round trip if the server takes CHUNKING. Notes in `state` if it should
 * not be tried again. `isBdatUnknown` is true if the server accepted the message for nobody, because
 * it does not know BDAT.
 */
export async function sendAlone(
  session: SmtpSession,
  message: OutgoingMessage,
  state: { chunking: ChunkingState },
): Promise<{ result: SendResult; isBdatUnknown: boolean }> {
  const window = state.chunking === "off" ? undefined : session.openWindow();
  const result = await (window ? sendInWindow(window, message) : session.send(message));
  const isBdatUnknown = window?.knowsBdat === false;
  const isLost = result.recipients.some(({ outcome }) => outcome === "unknown");
  if (isBdatUnknown || (window && isLost)) state.chunking = "off";
  return { result, isBdatUnknown };
}

/** Sends one message alone through a window, and finishes the window. */
async function sendInWindow(window: ChunkedWindow, message: OutgoingMessage): Promise<SendResult> {
  const told = Promise.withResolvers<SendResult>();
  const writing = window
    .post(message, async (result) => told.resolve(result))
    .finally(() => window.finish());
  await Promise.all([writing, window.readReplies()]);
  return told.promise;
}
