/*
 * One transaction with BDAT (RFC 3030): RSET, MAIL, RCPT, and the whole message as one last chunk.
 *
 * Every transaction but the first of a session starts with RSET. A refused BDAT leaves a state that
 * only RSET ends (RFC 3030 section 2), and the client may write the next transaction before it
 * learns of the refusal. Its RSET keeps one message's refusal and envelope away from the next
 * message.
 *
 * A hostile server may answer out of step. RSET is never refused, so a server that refuses it may
 * be reading the bytes of a refused chunk as commands; nothing that it says after that counts.
 */
import { connectionMessage } from "../../messages/connections.ts";
import { ConnectionError } from "../net/connection-error.ts";
import { askEnvelope } from "./ask-envelope.ts";
import { encodeText, type PreparedMessage } from "./command.ts";
import type { Outcomes } from "./outcomes.ts";
import { isAccepted, isPositive, SERVICE_CLOSING, type SmtpReply, unexpected } from "./reply.ts";
import type { SessionLoad } from "./session-load.ts";

export interface ChunkedTransaction {
  prepared: PreparedMessage;
  outcomes: Outcomes;
  load: SessionLoad;
  isLedByReset: boolean;
}

/** Command unrecognized, command not implemented (RFC 5321 section 4.2.3). */
const UNKNOWN_COMMAND_CODES = new Set([500, 502]);

/**
 * The server does not support BDAT, although it offers it. It did not accept the message, but may
 * read its bytes as commands, so the session must end.
 */
export class UnknownBdatError extends ConnectionError {}

/** Encodes the commands of a transaction; `sizeBytes` of message follow them. */
export function encodeCommands(transaction: ChunkedTransaction, sizeBytes: number): Uint8Array {
  const { prepared, isLedByReset } = transaction;
  const reset = isLedByReset ? ["RSET"] : [];
  const lines = [...reset, prepared.mail, ...prepared.rcpt, `BDAT ${sizeBytes} LAST`, ""];
  return encodeText(lines.join("\r\n"));
}

/**
 * Reads all replies to a transaction and decides its outcomes.
 * @throws ConnectionError also `protocol` for a reply that does not fit its command
 */
export async function readAnswers(
  { prepared, outcomes, load, isLedByReset }: ChunkedTransaction,
  readNext: () => Promise<SmtpReply>,
): Promise<void> {
  if (isLedByReset) expectReset(await readNext());
  await askEnvelope(prepared, outcomes, readNext, (reply) => load.hearsItsEnd(reply));
  decideByChunk(outcomes, await readNext());
}

/**
 * Requires RSET to succeed. A 421 may answer any command, and the reader of the replies handles it.
 */
function expectReset(reply: SmtpReply): void {
  if (!isPositive(reply) && reply.code !== SERVICE_CLOSING) throw unexpected(reply);
}

function decideByChunk(outcomes: Outcomes, reply: SmtpReply): void {
  if (outcomes.isHandedOver) outcomes.phase = "body";
  if (outcomes.open && UNKNOWN_COMMAND_CODES.has(reply.code)) {
    outcomes.spareRest(reply);
    throw new UnknownBdatError("protocol", connectionMessage("bdat_unknown"));
  }
  if (!isAccepted(reply)) outcomes.refuseRest(reply);
  else if (outcomes.isHandedOver) outcomes.acceptRest(reply);
  else throw unexpected(reply); // accepted before its last byte was written
}
