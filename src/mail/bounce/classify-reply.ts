import { readCodes } from "./read-codes.ts";
import { classifyRefusal, type RefusalPhase, type Verdict } from "./classify-refusal.ts";

/** SMTP commands with their phases; all others have none. */
const PHASES: Readonly<Record<string, RefusalPhase>> = {
  CONN: "sender",
  CONNECT: "sender",
  HELO: "sender",
  EHLO: "sender",
  STARTTLS: "sender",
  AUTH: "sender",
  MAIL: "sender",
  RCPT: "recipient",
  DATA: "message",
  BDAT: "message",
  BODY: "message",
  EOM: "message",
};

/** A dialogue that goes on to DATA after every recipient was rejected. */
const NO_RECIPIENT_LEFT =
  /\b5\d\d[ -].{1,2000}\b5\d\d[ -].{0,20}(?:no valid recipients|need rcpt)\b/is;

/**
 * Classifies a reply as a server wrote it, to the SMTP command `command` ("" when unknown). A dialogue
 * that goes on to DATA contains replies to later commands than the named one.
 */
export function classifyReply(command: string, reply: string): Verdict {
  const named = PHASES[command.trim().toUpperCase().split(/[\s:]/)[0] ?? ""] ?? "unknown";
  const phase = named === "sender" && NO_RECIPIENT_LEFT.test(reply) ? "message" : named;
  return classifyRefusal({ phase, ...readCodes(reply), text: reply });
}
