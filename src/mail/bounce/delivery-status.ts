/**
 * The machine-readable part of a delivery report: RFC 3464, with the internationalised form of
 * RFC 6533 and what systems write in place of it.
 *
 * A hostile part may name a million recipients or none: at most 100 are read, after at most 1,000
 * groups of fields.
 */
import type { EmailAddress } from "../address.ts";
import { type Evidence, readEvidence } from "./evidence.ts";
import { findAddresses } from "./find-addresses.ts";
import { fieldValue, type HeaderFields, readFields } from "./header-fields.ts";
import { MAX_RECIPIENTS } from "./report.ts";

const MAX_GROUPS = 1000;

/** What happened to one recipient (RFC 3464 section 2.3.3). */
export type DeliveryAction = "failed" | "delayed" | "delivered";

/** One recipient of a status part; `email` is undefined when no field of it is an address. */
export interface RecipientStatus {
  email: EmailAddress | undefined;
  action: DeliveryAction;
  /** Undefined when neither Status nor Diagnostic-Code says anything. */
  evidence: Evidence | undefined;
  /** Diagnostic-Code without its type, or Status. */
  diagnostic: string;
}

/** Reads the recipients of a status part, at most 100, in order. */
export function readDeliveryStatus(text: string): RecipientStatus[] {
  const lines = text.split("\n");
  const recipients: RecipientStatus[] = [];
  for (let i = 0, groups = 0; i < lines.length && groups < MAX_GROUPS; i++) {
    if ((lines[i] ?? "").trim() === "") continue;
    const fields = readFields(lines, i);
    groups++;
    if (isRecipientGroup(fields)) recipients.push(readRecipient(fields));
    if (recipients.length >= MAX_RECIPIENTS) break;
    while (i < lines.length && (lines[i] ?? "").trim() !== "") i++;
  }
  return recipients;
}

/** Unlike the group about the message, a recipient's names a recipient and what became of it. */
const isRecipientGroup = (fields: HeaderFields) =>
  fields.has("final-recipient") ||
  fields.has("original-recipient") ||
  (fields.has("action") && fields.has("status"));

function readRecipient(fields: HeaderFields): RecipientStatus {
  const status = fieldValue(fields, "status");
  const diagnostic = fieldValue(fields, "diagnostic-code").replace(/^\s*[\w-]{1,40}\s*;\s*/, "");
  return {
    email: recipientAddress(fields),
    action: readAction(fieldValue(fields, "action")),
    evidence: combine(readEvidence(status), readEvidence(diagnostic)),
    diagnostic: diagnostic === "" ? status : diagnostic,
  };
}

function recipientAddress(fields: HeaderFields): EmailAddress | undefined {
  for (const name of ["final-recipient", "original-recipient", "x-actual-recipient"]) {
    const value = decodeUtf8Address(fieldValue(fields, name).replace(/^\s*[\w-]{1,40}\s*;/, ""));
    const [email] = findAddresses(value.includes("<") ? value : `<${value.trim()}>`);
    const found = email ?? findAddresses(value)[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** RFC 6533 section 3: the `utf-8` address type writes characters as `\x{HEX}` over ASCII. */
function decodeUtf8Address(value: string): string {
  return value.replace(/\\x\{([0-9a-f]{1,6})\}/gi, (whole, hex: string) => {
    const codePoint = Number.parseInt(hex, 16);
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : whole;
  });
}

/** A missing action is a failure: those who leave it out report nothing else. */
function readAction(value: string): DeliveryAction {
  const action = /^[a-z]+/.exec(value.trim().toLowerCase())?.[0] ?? "failed";
  if (action === "delayed") return "delayed";
  return /^(?:delivered|relayed|expanded)$/.test(action) ? "delivered" : "failed";
}

/**
 * The remote server's words decide over the reporting system's status where that is general
 * (5.0.0): a status is often filled in by rote. A temporary word on either side stays temporary.
 */
function combine(status: Evidence | undefined, diagnostic: Evidence | undefined) {
  if (!status || !diagnostic) return status ?? diagnostic;
  const isGeneral = /^[45]\.0\.0$/.test(status.enhanced ?? "5.0.0");
  const enhanced = isGeneral ? (diagnostic.enhanced ?? status.enhanced) : status.enhanced;
  return { ...status, ...diagnostic, ...(enhanced === undefined ? {} : { enhanced }) };
}
