import { errorText, logLine } from "../../lib/log-line.ts";
import type { SocketFactory } from "../net/connection.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import { SmtpSession } from "./session.ts";
import type { SmtpSettings, SmtpTimeouts } from "./settings.ts";

/**
 * Sends one message over a session of its own, and gives the result as soon as it is known. The
 * farewell goes on behind it, as `goOn` is told: it takes `quitMs` twice at most, ends with a closed
 * connection and never rejects.
 * @throws SmtpConnectError when no session came about; nothing was sent then
 */
export async function sendOne(
  settings: SmtpSettings,
  sockets: SocketFactory,
  message: OutgoingMessage,
  timeouts: SmtpTimeouts,
  goOn: (farewell: Promise<void>) => void,
): Promise<SendResult> {
  const session = await SmtpSession.open(settings, sockets, timeouts);
  try {
    return await session.send(message);
  } finally {
    goOn(sayFarewell(session));
  }
}

async function sayFarewell(session: SmtpSession): Promise<void> {
  try {
    await session.quit();
  } catch (error) {
    logLine("error", "smtp_farewell_failed", { error: errorText(error) });
  }
}
