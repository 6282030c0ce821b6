import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { domainOf, parseEmailAddress } from "../../mail/address.ts";
import { readReport } from "../../mail/bounce/index.ts";
import { projectOfMail, selectMailsById } from "../email-log/index.ts";
import { selectReturnPathProjects } from "../projects/index.ts";
import { keepSignatures } from "../sending/index.ts";
import { openReturnPaths } from "../tracking/index.ts";
import { choosePlace } from "./choose-project.ts";
import { requireNoLogging } from "./mails-to-come.ts";
import { ownIdsOf } from "./own-mail.ts";
import { recordReceived, type RecordedReport } from "./record-received.ts";

/** A mail as email routing hands it over; `from` is "" or "<>" for the null sender of reports. */
interface IncomingMail {
  from: string;
  to: string;
  /** The mail, possibly truncated: a report has its facts at the beginning. */
  raw: Uint8Array;
  /** The size of the complete mail in bytes. */
  size: number;
}

export type Reception =
  | RecordedReport
  | { kind: "ignored"; why: "auto_reply" | "no_failure" }
  | { kind: "inspected"; projectId: string }
  | { kind: "forward"; to: string }
  | { kind: "refuse"; reason: string };

const REFUSAL =
  "This address accepts only delivery reports. Please write to the address in the From field of the email.";

/**
 * Receives a mail to a return path. Records a report or complaint (`recordReceived`). Ignores
 * auto-replies and reports without a failure, at no cost. Inspects the signature of a mail that this
 * service sent to this address, in one read and one write. Forwards everything else to the project's
 * `forward_to`, or rejects it, at the cost of one read. Throws while a bounced mail or a mail of this
 * service is not in the log yet, and passes on database errors, so that the sending server retries.
 */
export async function receiveMail(deps: Deps, mail: IncomingMail): Promise<Reception> {
  const read = await readReport(withEnvelope(mail));
  switch (read.kind) {
    case "bounce":
    case "complaint":
      return recordReceived(deps, mail.to, read);
    case "auto_reply":
    case "no_failure":
      return { kind: "ignored", why: read.kind };
    case "mail":
      return passOn(deps, mail);
  }
}

/** Adds the envelope at the top of a mail, as the final delivery server does (RFC 5321 §4.4). */
function withEnvelope({ from, to, raw }: IncomingMail): Uint8Array {
  const oneLine = (text: string) => text.replace(/[\p{C}<>]/gu, "");
  const fields = `Return-Path: <${oneLine(from)}>\r\nDelivered-To: ${oneLine(to)}\r\n`;
  const head = new TextEncoder().encode(fields);
  const all = new Uint8Array(head.length + raw.length);
  all.set(head);
  all.set(raw, head.length);
  return all;
}

/** Inspects a mail of this service, or finds the forwarding address for a mail from a person. */
async function passOn(deps: Deps, { from, to, raw, size }: IncomingMail): Promise<Reception> {
  const address = parseEmailAddress(to);
  if (!address.ok) return { kind: "refuse", reason: REFUSAL };
  const token = await openReturnPaths(deps, [address.address]);
  const named = token ? projectOfMail(token.logId) : sql`null`;
  const domain = domainOf(address.address);
  const { ids, proven } = await ownIdsOf(deps, raw, from);
  const [projects, owners] = await runBatch(deps.db, [
    selectReturnPathProjects(deps.db, domain, named),
    selectMailsById(deps.db, ids),
  ]);
  const own = owners.find(({ toEmail }) => toEmail === address.address);
  if (own) {
    await keepSignatures(deps, own.projectId, { raw, isWhole: raw.length >= size });
    return { kind: "inspected", projectId: own.projectId };
  }
  if (proven !== undefined && !owners.some(({ id }) => id === proven))
    await requireNoLogging(deps, [proven]);
  const forwardTo = await choosePlace(
    deps,
    projects,
    address.address,
    ({ forwardTo: place }) => place,
  );
  // A mail to the domain of the return path itself would loop.
  if (!forwardTo || forwardTo.endsWith(`@${domain}`)) return { kind: "refuse", reason: REFUSAL };
  return { kind: "forward", to: forwardTo };
}
