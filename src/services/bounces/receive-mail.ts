import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { domainOf, parseEmailAddress } from "../../mail/address.ts";
import { readReport } from "../../mail/bounce/index.ts";
import { projectOfMail } from "../email-log/index.ts";
import { selectReturnPathProjects } from "../projects/index.ts";
import { openReturnPaths } from "../tracking/index.ts";
import { choosePlace } from "./choose-project.ts";
import { recordReceived, type RecordedReport } from "./record-received.ts";

/** A mail as mail routing hands it over; `from` is "" or "<>" for the null sender of reports. */
interface IncomingMail {
  from: string;
  to: string;
  /** The mail, or its beginning: a report puts its facts there. */
  raw: Uint8Array;
}

/** What becomes of a mail. */
export type Reception =
  | RecordedReport
  | { kind: "ignored"; why: "auto_reply" | "no_failure" }
  | { kind: "forward"; to: string }
  | { kind: "refuse"; reason: string };

const REFUSAL =
  "This address takes delivery reports only. Please write to the address in the From field of the mail.";

/**
 * Receives a mail to a return path. Records a report or complaint in one D1 read and at most one
 * write, and ignores auto-replies and reports without a failure, which cost none. Everything else
 * goes to `forward_to` of the project, or is refused; that costs one read.
 * Throws while a returned mail is not in the log yet, and the errors of the database: whoever
 * handed the mail over tries again.
 */
export async function receiveMail(deps: Deps, mail: IncomingMail): Promise<Reception> {
  const read = await readReport(withEnvelope(mail));
  if (read.report.kind !== "other" || read.unnamed) return recordReceived(deps, mail.to, read);
  if (read.nature === "auto_reply") return { kind: "ignored", why: "auto_reply" };
  if (isNullSender(mail.from) || read.isReport) return { kind: "ignored", why: "no_failure" };
  return passOn(deps, mail.to);
}

const isNullSender = (from: string) => /^\s*(?:<\s*>)?\s*$/.test(from);

/** Writes the envelope before a mail, as the last mail server does (RFC 5321 §4.4). */
function withEnvelope({ from, to, raw }: IncomingMail): Uint8Array {
  const oneLine = (text: string) => text.replace(/[\p{C}<>]/gu, "");
  const fields = `Return-Path: <${oneLine(from)}>\r\nDelivered-To: ${oneLine(to)}\r\n`;
  const head = new TextEncoder().encode(fields);
  const all = new Uint8Array(head.length + raw.length);
  all.set(head);
  all.set(raw, head.length);
  return all;
}

/** Finds the address to which a mail of a person goes. The mail itself names no project. */
async function passOn(deps: Deps, to: string): Promise<Reception> {
  const address = parseEmailAddress(to);
  if (!address.ok) return { kind: "refuse", reason: REFUSAL };
  const token = await openReturnPaths(deps, [address.address]);
  const named = token ? projectOfMail(token.logId) : sql`null`;
  const domain = domainOf(address.address);
  const [projects] = await runBatch(deps.db, [selectReturnPathProjects(deps.db, domain, named)]);
  const forwardTo = choosePlace(projects, address.address, ({ forwardTo: place }) => place);
  // A mail to the domain of the return path itself would come back here.
  if (!forwardTo || forwardTo.endsWith(`@${domain}`)) return { kind: "refuse", reason: REFUSAL };
  return { kind: "forward", to: forwardTo };
}
