import type { Connection } from "../net/connection.ts";
import { readReply, SERVICE_CLOSING, type SmtpReply } from "./reply.ts";

/** A 421, with which the server ends the session. */
export class ServiceClosing extends Error {
  readonly reply: SmtpReply;

  constructor(reply: SmtpReply) {
    super("the server ends the session");
    this.reply = reply;
  }
}

/**
 * Reads the next reply of a session; synchronously once it is complete.
 * @throws ServiceClosing for a 421; ConnectionError
 */
export function readSessionReply(connection: Connection): SmtpReply | Promise<SmtpReply> {
  const reply = readReply(connection);
  return reply instanceof Promise ? reply.then(unlessClosing) : unlessClosing(reply);
}

function unlessClosing(reply: SmtpReply): SmtpReply {
  if (reply.code === SERVICE_CLOSING) throw new ServiceClosing(reply);
  return reply;
}
