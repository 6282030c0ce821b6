import type { PreparedMessage } from "./command.ts";
import type { Outcomes } from "./outcomes.ts";
import { isAccepted, type SmtpReply } from "./reply.ts";

/**
 * Reads the replies to MAIL and RCPT, and records the rejections. `ask` sends each command unless
 * it was already sent. `endsSession` receives the reply to MAIL, and returns true if it rejects the
 * session rather than the message. With `stopsEarly`, stops once no recipient is left.
 */
export async function askEnvelope(
  { mail, rcpt }: PreparedMessage,
  outcomes: Outcomes,
  ask: (command: string) => SmtpReply | Promise<SmtpReply>,
  endsSession: (reply: SmtpReply) => boolean,
  stopsEarly = false,
): Promise<void> {
  const mailReply = await ask(mail);
  const isTaken = isAccepted(mailReply);
  if (endsSession(mailReply)) outcomes.spareRest(mailReply);
  else if (!isTaken) outcomes.refuseRest(mailReply);
  outcomes.phase = "rcpt";
  for (const [index, command] of rcpt.entries()) {
    if (stopsEarly && !outcomes.open) return;
    const reply = await ask(command);
    if (!isAccepted(reply)) outcomes.refuse(index, reply);
  }
  outcomes.phase = "data";
}
