/**
 * The machine-readable part of a delivery report: RFC 3464, with the internationalized form of RFC
 * 6533 and variants found in real systems.
 *
 * A hostile part may name a million recipients or none. The reader stops after 100 recipients or
 * 1,000 groups of fields.
 */
import type { EmailAddress } from "../address.ts";
import { type Evidence, readEvidence } from "./evidence.ts";
import { findAllAddresses } from "./find-addresses.ts";
import { fieldValue, type HeaderFields, readFields } from "./header-fields.ts";
import { MAX_RECIPIENTS } from "./report.ts";

const MAX_GROUPS = 1000;

/** Outcome for one recipient (RFC 3464 section 2.3.3). */
export type DeliveryAction = "failed" | "delayed" | "delivered";

/** One recipient of a status part; `email` is undefined if no field contains an address. */
export interface RecipientStatus {
  email: EmailAddress | undefined;
  action: DeliveryAction;
  /** Undefined if neither Status nor Diagnostic-Code is informative. */
  evidence: Evidence | undefined;
  /** Diagnostic-Code without its type, or Status. */
  diagnostic: string;
}

/** Reads the recipients of a status part in order, at most 100. */
export function readDeliveryStatus(text: string): RecipientStatus[] {
  const groups: HeaderFields[] = [];
  for (const fields of fieldGroups(text.split("\n"))) {
    const last = groups.at(-1);
    if (last && !namesRecipient(fields)) groups.splice(-1, 1, new Map([...fields, ...last]));
    else if (isRecipientGroup(fields)) groups.push(fields);
    if (groups.length > MAX_RECIPIENTS) break;
  }
  return groups.flatMap(readRecipients).slice(0, MAX_RECIPIENTS);
}

/**
 * Yields groups of fields. An empty line ends one; some systems write none, so that a field of a
 * complete group comes again.
 */
function* fieldGroups(lines: readonly string[]): Generator<HeaderFields> {
  let start = 0;
  let names = new Set<string>();
  for (let i = 0, groups = 0; i <= lines.length && groups < MAX_GROUPS; i++) {
    const line = lines[i] ?? "";
    const isBlank = line.trim() === "";
    const name = GROUP_FIELD.exec(line)?.[1]?.toLowerCase();
    const isNext = name !== undefined && names.has(name) && isComplete(names);
    if ((isBlank || isNext) && i > start) {
      yield readFields(lines.slice(start, i));
      groups++;
    }
    if (isBlank || isNext) {
      start = isBlank ? i + 1 : i;
      names = new Set();
    }
    if (name !== undefined) names.add(name);
  }
}

const GROUP_FIELD = /^(final-recipient|original-recipient|action|status)[ \t]*:/i;

type Names = Pick<ReadonlySet<string>, "has">;

const isComplete = (names: Names) =>
  namesRecipient(names) && (names.has("action") || names.has("status"));

/** Detects the start of a recipient's group; some systems write blank lines within one. */
const namesRecipient = (names: Names) =>
  names.has("final-recipient") || names.has("original-recipient");

/** Detects a recipient's group: unlike the message's group, it names a recipient and an action. */
const isRecipientGroup = (names: Names) =>
  namesRecipient(names) || (names.has("action") && names.has("status"));

/** Reads a group; a few systems name several recipients with one outcome. */
function readRecipients(fields: HeaderFields): RecipientStatus[] {
  const status = fieldValue(fields, "status");
  const diagnostic = fieldValue(fields, "diagnostic-code").replace(/^\s*[\w-]{1,40}\s*;\s*/, "");
  const outcome = {
    action: readAction(fieldValue(fields, "action")),
    evidence: combineEvidence(readEvidence(status), readEvidence(diagnostic)),
    diagnostic: diagnostic === "" ? status : diagnostic,
  };
  const emails = recipientAddresses(fields);
  return emails.length === 0
    ? [{ email: undefined, ...outcome }]
    : emails.map((email) => ({ email, ...outcome }));
}

function recipientAddresses(fields: HeaderFields): EmailAddress[] {
  for (const name of ["final-recipient", "original-recipient", "x-actual-recipient"]) {
    const found = (fields.get(name) ?? []).flatMap(addressesOf);
    if (found.length > 0) return found;
  }
  return [];
}

/** Reads an address, or several separated by commas, after their type. */
const addressesOf = (field: string) =>
  decodeUtf8Address(field.replace(/^\s*[\w-]{1,40}\s*;/, ""))
    .split(",")
    .flatMap((value) => {
      const [email] = findAllAddresses(value.includes("<") ? value : `<${value.trim()}>`);
      return email ?? findAllAddresses(value)[0] ?? [];
    });

/** Decodes the `utf-8` address type, which writes characters as `\x{HEX}` (RFC 6533 section 3). */
function decodeUtf8Address(value: string): string {
  return value.replace(/\\x\{([0-9a-f]{1,6})\}/gi, (whole, hex: string) => {
    const codePoint = Number.parseInt(hex, 16);
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : whole;
  });
}

/**
 * Parses an action. A missing one means failure, because systems that omit it report nothing else.
 */
function readAction(value: string): DeliveryAction {
  const action = /^[a-z]+/.exec(value.trim().toLowerCase())?.[0] ?? "failed";
  if (action === "delayed") return "delayed";
  return /^(?:delivered|relayed|expanded)$/.test(action) ? "delivered" : "failed";
}

/**
 * Combines both fields. The remote server's words and codes override the status of the reporting
 * system, which is often filled in by rote. A temporary status stays temporary unless the remote
 * server's rejection was permanent.
 */
export function combineEvidence(status: Evidence | undefined, diagnostic: Evidence | undefined) {
  if (!status || !diagnostic) return diagnostic ?? status;
  const enhanced = chooseCode(status.enhanced, diagnostic);
  return { ...status, ...diagnostic, ...(enhanced === undefined ? {} : { enhanced }) };
}

/** Returns true for codes that name no cause (RFC 3463 sections 3.1 and 3.6). */
export const isGeneralCode = (enhanced: string) => /^[45]\.(?:0|5)\.0$/.test(enhanced);

function chooseCode(status: string | undefined, { code, enhanced }: Evidence): string | undefined {
  if (enhanced !== undefined && (status === undefined || !isGeneralCode(enhanced))) return enhanced;
  const isContradicted = status?.startsWith("4.") === true && code !== undefined && code >= 500;
  return isContradicted ? enhanced : status;
}
