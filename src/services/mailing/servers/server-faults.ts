import { connectionMessage, type ConnectionMessage } from "../../../messages/connections.ts";
import { isUntouched, type SendResult } from "../../../mail/smtp/index.ts";
import type { EarlierAttempt } from "../../../db/schema/index.ts";
import { EARLIER_REASON_CHARACTERS } from "../outcome.ts";
import type { ServerFault } from "./resting-servers.ts";
import { cutText } from "../../../lib/cut-text.ts";

/** Returns the fault in the result of a message that a server did not begin to take. */
export function faultOf({ recipients: [one] }: SendResult): ServerFault {
  const isPermanent = one?.outcome === "not_sent" && (one.reply?.code ?? 0) >= 500;
  return { error: one?.error ?? "", temporary: !isPermanent };
}

/** Returns the attempt at a server that ended with this fault. */
export const attemptOf = ({ error }: ServerFault, at: number): EarlierAttempt => ({
  at,
  error: cutText(error, EARLIER_REASON_CHARACTERS),
});

/** Returns the errors of both servers as one message. */
export const bothFaults = (
  fallback: ConnectionMessage | string,
  { error: first }: ServerFault,
): ConnectionMessage => connectionMessage("both_servers_failed", { fallback, first });

/**
 * Adds the fault of the first server to the result of a fallback that opened no session. A refused
 * login counts as such only if the first server's fault is permanent, too.
 */
export function withFirstFault(result: SendResult, fault: ServerFault): SendResult {
  if (!isUntouched(result)) return result;
  const recipients = result.recipients.map(({ reply, ...one }) => {
    const reason = bothFaults(one.reason ?? one.error, fault);
    return {
      ...one,
      error: reason.message,
      reason,
      ...(reply && !(fault.temporary && one.outcome === "not_sent") ? { reply } : {}),
    };
  });
  return { ...result, recipients };
}
