import type { SocketFactory } from "../net/connection.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import { SmtpSession } from "./session.ts";
import type { SmtpSettings, SmtpTimeouts } from "./settings.ts";

/**
 * Sends one message over a session of its own.
 * @throws SmtpConnectError when no session came about; nothing was sent then
 */
export async function sendOne(
  settings: SmtpSettings,
  sockets: SocketFactory,
  message: OutgoingMessage,
  timeouts: SmtpTimeouts,
): Promise<SendResult> {
  const session = await SmtpSession.open(settings, sockets, timeouts);
  try {
    return await session.send(message);
  } finally {
    await session.quit();
  }
}
