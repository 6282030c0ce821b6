import type { EarlierAttempt } from "../../../db/schema/index.ts";
import type { Deps } from "../../../deps.ts";
import {
  isUntouched,
  NoFreeSession,
  SmtpConnectError,
  type OutgoingMessage,
  type SendResult,
  type SmtpSettings,
} from "../../../mail/smtp/index.ts";
import type { Sender } from "../../projects/index.ts";
import { endRest, letRest, restOf, type ServerFault } from "./resting-servers.ts";
import { attemptOf, bothFaults, faultOf } from "./server-faults.ts";

/** The servers of a sender. */
export type Servers = Pick<Sender, "smtp" | "fallback">;

/** A result, and the role of the server that gave it. */
export interface ServerResult {
  result: SendResult;
  role: SmtpSettings["role"];
  /** The earlier attempt at the first server, if there was one. */
  earlier?: EarlierAttempt | undefined;
}

/** Sends one message. Throws SmtpConnectError when there is no session for it. */
export type SendSession = (settings: SmtpSettings, message: OutgoingMessage) => Promise<SendResult>;

/**
 * Sends one message to the first server. If that server opens no session, or ends the session with
 * a 421 before the content begins, sends the message to the fallback, if there is one. A first
 * server that failed is left alone for a while.
 * @throws SmtpConnectError when neither server opens a session
 */
export async function sendOverServers(
  { now }: Pick<Deps, "now">,
  { smtp, fallback }: Servers,
  message: OutgoingMessage,
  send: SendSession,
): Promise<ServerResult> {
  if (!fallback) return { result: await send(smtp, message), role: smtp.role };
  const rest = restOf(smtp, now());
  const first = rest ? { fault: rest } : await tryFirst(smtp, message, send);
  if ("result" in first) {
    endRest(smtp);
    return { result: first.result, role: smtp.role };
  }
  const { fault } = first;
  const earlier = rest ? undefined : attemptOf(fault, now());
  if (!rest) letRest(smtp, now(), fault);
  try {
    return { result: await send(fallback, message), role: fallback.role, earlier };
  } catch (error) {
    if (error instanceof SmtpConnectError) throw neither(error, fault);
    throw error;
  }
}

async function tryFirst(
  smtp: SmtpSettings,
  message: OutgoingMessage,
  send: SendSession,
): Promise<{ result: SendResult } | { fault: ServerFault }> {
  try {
    const result = await send(smtp, message);
    return isUntouched(result) ? { fault: faultOf(result) } : { result };
  } catch (error) {
    if (!(error instanceof SmtpConnectError) || error instanceof NoFreeSession) throw error;
    return { fault: { error: error.message, temporary: error.temporary } };
  }
}

/** Returns the error of a message that neither server took. */
function neither(error: SmtpConnectError, fault: ServerFault): SmtpConnectError {
  const { phase, step, reply } = error;
  const temporary = error.temporary || fault.temporary;
  const reason = bothFaults(error.reason, fault);
  return new SmtpConnectError(reason, { phase, step, reply, temporary, cause: error });
}
