import type { SocketFactory } from "../net/socket.ts";
import { sayFarewell } from "./farewell.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import { sendInTransactions } from "./send-in-transactions.ts";
import { SmtpSession } from "./session.ts";
import type { SmtpSettings, SmtpTimeouts } from "./settings.ts";

/**
 * Sends one message over a session of its own and returns the result as soon as it is known. QUIT
 * continues in the background, through `goOn`.
 * @throws SmtpConnectError when no session was opened and so nothing was sent
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
    return await sendInTransactions(message, (part) => session.send(part));
  } finally {
    goOn(sayFarewell(session));
  }
}
