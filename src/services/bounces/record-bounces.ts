import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { RefusalReason } from "../../mail/bounce/index.ts";
import {
  bouncedEvents,
  complainedEvents,
  countComplaints,
  markBounced,
  type BounceNotice,
} from "../email-log/index.ts";
import { hardBounce, suppressStatements, type NewSuppression } from "../suppressions/index.ts";

export interface Consequence {
  suppression: NewSuppression;
  /** The mail of a hard bounce, if it was found, and a line for the log. */
  returned?: { logId: string | undefined; error: string; reason: RefusalReason };
  /** The mail of a complaint, with its id if it was found. */
  complained?: { logId: string | undefined };
}

/** The source of reports, recorded with each suppression. */
export type ReportSource = "imap" | "email" | "ingest";

/** An address that a report declares invalid, or whose owner complained or unsubscribed. */
export interface Finding {
  kind: "bounce" | "complaint" | "opt_out";
  email: EmailAddress;
  /** The text from the server or provider; "" if there is none. */
  words: string;
  reason: RefusalReason;
  logId: string | undefined;
}

/**
 * Returns the consequence of a finding. A complaint is not a bounce, because its mail was
 * delivered.
 */
export function consequenceOf(
  source: ReportSource,
  { kind, email, words, reason, logId }: Finding,
): Consequence {
  if (kind === "complaint")
    return {
      suppression: { email, reason: "manual", source: "complaint" },
      complained: { logId },
    };
  if (kind === "opt_out") return { suppression: { email, reason: "unsubscribed", source } };
  return {
    suppression: hardBounce(email, source, words),
    returned: { logId, error: words || "bounced", reason },
  };
}

/**
 * Returns the statements that record consequences: those of `before`, then those of `added`, whose
 * last one inserts the new suppressions. They do nothing if `when` is false.
 */
export function bounceStatements(
  deps: Deps,
  projectId: string,
  consequences: Consequence[],
  when: SQL = sql`true`,
) {
  const suppressions = consequences.map(({ suppression }) => suppression);
  const returned = consequences.flatMap(({ returned: mail }) =>
    mail?.logId === undefined
      ? []
      : [{ logId: mail.logId, error: mail.error, reason: mail.reason }],
  );
  const complaints = consequences.flatMap(({ suppression, complained }) =>
    complained ? [{ email: suppression.email, logId: complained.logId }] : [],
  );
  const complained = complaints.flatMap(({ logId }) => logId ?? []);
  return {
    before: [
      // First, because it reads which addresses and mails are not yet suppressed or marked.
      ...bouncedEvents(deps, projectId, noticesOf(consequences), when),
      ...complainedEvents(deps, projectId, complaints, when),
      ...markBounced(deps, projectId, returned, when),
      ...countComplaints(deps.db, projectId, complained, when),
    ],
    added: suppressStatements(deps, projectId, suppressions, when),
  };
}

/**
 * Returns the hard bounces to report, each address and mail only once. After the first of several
 * reports, the address is suppressed.
 */
function noticesOf(consequences: Consequence[]): BounceNotice[] {
  const seen = new Set<string>();
  const notices = new Map<string, BounceNotice>();
  for (const { suppression, returned } of consequences) {
    const { email } = suppression;
    const isFirst = !seen.has(email);
    seen.add(email);
    const key = JSON.stringify([email, returned?.logId]);
    if (returned && !notices.has(key)) notices.set(key, { email, isFirst, ...returned });
  }
  return [...notices.values()];
}
