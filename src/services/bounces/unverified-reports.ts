import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { runBatch, runBatchAfter } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { countFor } from "../../db/paging.ts";
import type { ListPage } from "../../lib/page.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { REFUSAL_REASONS } from "../../mail/bounce/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import { countUnlisted, hasUnlisted } from "../suppressions/index.ts";
import { bounceStatements, suppressionOf, type Finding } from "./record-bounces.ts";
import {
  countUnverified,
  deleteOldUnverified,
  deleteUnverified,
  selectUnverified,
  selectUnverifiedOf,
  type UnverifiedKey,
  type UnverifiedRow,
} from "./unverified-queries.ts";

/** The source that a suppression by a confirmed report names. */
const SOURCE = "imap";

/** The number of days for which a report is kept after it was last seen. */
const KEPT_DAYS = 30;

/** The maximum total that a list shows. */
const MOST_COUNTED = 1_000;

/** Returns the statements that read a page of the undecided reports, and their number. */
export const unverifiedReads = ({ db }: Deps, projectId: string, page: ListPage<UnverifiedKey>) =>
  [
    selectUnverified(db, projectId, page),
    countFor(db, page, countUnverified(db, projectId, MOST_COUNTED)),
  ] as const;

/** Returns the statement that finds the reports about some addresses. */
export const unverifiedOf = ({ db }: Deps, projectId: string, emails: string[]) =>
  [selectUnverifiedOf(db, projectId, emails)] as const;

/**
 * Suppresses the addresses of unverified reports that a user has confirmed, and removes the
 * reports. `rows` is the result of `unverifiedOf`. The route checks `suppressions:write`. Returns
 * the number of addresses that were added to the suppression list.
 */
export async function confirmUnverified(
  ctx: Ctx,
  project: ProjectRow,
  rows: UnverifiedRow[],
): Promise<number> {
  const { deps } = ctx;
  if (rows.length === 0) return 0;
  const emails = rows.map(({ email }) => email);
  const findings = rows.map(findingOf);
  const { before, added } = bounceStatements(deps, project.id, findings, SOURCE);
  const first = [
    ...auditStatements(ctx, project.id, findings),
    ...before,
    deleteUnverified(deps.db, project.id, emails),
  ];
  const [, inserted] = await runBatchAfter(deps.db, first, added);
  return inserted?.meta.changes ?? 0;
}

/** Returns the statements that write an audit entry for each reason. They run before the change. */
function auditStatements(ctx: Ctx, projectId: string, findings: Finding[]) {
  const suppressions = findings.map((finding) => suppressionOf(SOURCE, finding));
  const byReason = Map.groupBy(suppressions, ({ reason }) => reason);
  return [...byReason].map(([reason, ofReason]) => {
    const emails = ofReason.map(({ email }) => email);
    const added = countUnlisted(projectId, emails);
    const fact = {
      scopeId: projectId,
      action: "suppression.add",
      metadata: sql`json_object('from', 'unverified reports', 'added', ${added}, 'reason', ${reason})`,
    } as const;
    const isNew = sql`${projectExists(projectId)} and ${hasUnlisted(projectId, emails)}`;
    return auditStatement(ctx, fact, isNew);
  });
}

function findingOf({ kind, email, reason, words, logId }: UnverifiedRow): Finding {
  return {
    kind,
    email: email as EmailAddress, // written by the report parser
    words,
    reason: REFUSAL_REASONS.find((known) => known === reason) ?? "unknown",
    logId: logId ?? undefined,
  };
}

/** Removes reports that were not decided within 30 days. Runs every night. */
export async function forgetUnverified({ db, now }: Deps): Promise<void> {
  await runBatch(db, [deleteOldUnverified(db, now() - KEPT_DAYS * DAY_MS)]);
}
