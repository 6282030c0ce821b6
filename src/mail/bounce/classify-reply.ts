import { readCodes } from "./read-codes.ts";
import { classifyRefusal, type RefusalPhase, type Verdict } from "./classify-refusal.ts";

/** SMTP commands with their phases; all others have none. */
const PHASES: Readonly<Record<string, RefusalPhase>> = {
  CONN: "opening",
  CONNECT: "opening",
  HELO: "opening",
  EHLO: "opening",
  STARTTLS: "opening",
  AUTH: "opening",
  MAIL: "sender",
  RCPT: "recipient",
  DATA: "message",
  BDAT: "message",
  BODY: "message",
  EOM: "message",
};

/** Classifies a reply as a server wrote it, to the SMTP command `command` ("" when unknown). */
export function classifyReply(command: string, reply: string): Verdict {
  const phase = PHASES[command.trim().toUpperCase().split(/[\s:]/)[0] ?? ""] ?? "unknown";
  return classifyRefusal({ phase, ...readCodes(reply), text: reply });
}
