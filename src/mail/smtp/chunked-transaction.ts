/*
 * One transaction with BDAT (RFC 3030): RSET, MAIL, RCPT, and the whole message as one last chunk.
 *
 * RSET leads every transaction but the first of a session. A refused BDAT leaves a state that only
 * RSET ends (RFC 3030 section 2), and what follows may be written before the refusal is known; led
 * by RSET it is never refused for the sake of another message, and no envelope that led to nothing
 * leaks into the next. As RSET is never refused, a server that does so is out of step: it may take
 * the bytes of a refused chunk for commands, and nothing it says from there on is believed.
 */
import { ConnectionError } from "../net/connection.ts";
import { encodeText, type PreparedMessage } from "./command.ts";
import type { Outcomes } from "./outcomes.ts";
import { isAccepted, isPositive, SERVICE_CLOSING, type SmtpReply, unexpected } from "./reply.ts";

export interface ChunkedTransaction {
  prepared: PreparedMessage;
  outcomes: Outcomes;
  isLedByReset: boolean;
}

/** Command unrecognized, command not implemented (RFC 5321 section 4.2.3). */
const UNKNOWN_COMMAND_CODES = new Set([500, 502]);

/**
 * The server does not know BDAT, although it offers it. The message was not taken, but its bytes
 * may be taken for commands, so the session must end.
 */
export class UnknownBdatError extends ConnectionError {}

/** The commands of a transaction, after which `sizeBytes` of message follow. */
export function encodeCommands(transaction: ChunkedTransaction, sizeBytes: number): Uint8Array {
  const { prepared, isLedByReset } = transaction;
  const reset = isLedByReset ? ["RSET"] : [];
  const lines = [...reset, prepared.mail, ...prepared.rcpt, `BDAT ${sizeBytes} LAST`, ""];
  return encodeText(lines.join("\r\n"));
}

/**
 * Reads all replies to a transaction and decides its outcomes.
 * @throws ConnectionError also `protocol` for an answer that cannot be one to its command
 */
export async function readAnswers(
  { prepared, outcomes, isLedByReset }: ChunkedTransaction,
  readNext: () => Promise<SmtpReply>,
): Promise<void> {
  if (isLedByReset) expectReset(await readNext());
  const mailReply = await readNext();
  if (!isAccepted(mailReply)) outcomes.refuseRest(mailReply);
  outcomes.phase = "rcpt";
  for (const index of prepared.rcpt.keys()) {
    const reply = await readNext();
    if (!isAccepted(reply)) outcomes.refuse(index, reply);
  }
  outcomes.phase = "data";
  decideByChunk(outcomes, await readNext());
}

/** A 421 may be the answer to any command, and is dealt with by whoever reads the replies. */
function expectReset(reply: SmtpReply): void {
  if (!isPositive(reply) && reply.code !== SERVICE_CLOSING) throw unexpected(reply);
}

function decideByChunk(outcomes: Outcomes, reply: SmtpReply): void {
  if (outcomes.isHandedOver) outcomes.phase = "body";
  if (outcomes.open && UNKNOWN_COMMAND_CODES.has(reply.code)) {
    outcomes.spareRest(reply);
    throw new UnknownBdatError("protocol", "the server does not know BDAT");
  }
  if (!isAccepted(reply)) outcomes.refuseRest(reply);
  else if (outcomes.isHandedOver) outcomes.acceptRest(reply);
  else throw unexpected(reply); // taken before its last byte was written
}
