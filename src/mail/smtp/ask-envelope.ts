import type { PreparedMessage } from "./command.ts";
import type { Outcomes } from "./outcomes.ts";
import { isAccepted, type SmtpReply } from "./reply.ts";

/**
 * Reads the replies to MAIL and RCPT, for which `ask` sends the command unless it is on its way,
 * and records the refusals. `endsSession` hears the reply to MAIL, and returns true if it refuses
 * the session and not the message. With `stopsEarly` it stops asking once no recipient is left.
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
