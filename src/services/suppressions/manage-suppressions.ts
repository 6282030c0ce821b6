import { projectExists } from "../projects/index.ts";
import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { countFor } from "../../db/paging.ts";
import { SUPPRESSION_REASONS } from "../../db/schema/index.ts";
import { notFound } from "../../errors.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
import { parseEmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { isErased, withHashes } from "./erased.ts";
import {
  deleteSuppressionRow,
  isSuppressed,
  selectOne,
  selectPage,
  selectTotal,
  suppressionExists,
  suppressionFacts,
  uncountSuppression,
  type SuppressionReason,
  type SuppressionRow,
} from "./queries.ts";
import { deleteSoftBounces } from "./soft-bounces.ts";
import { suppressStatements } from "./suppress.ts";
import { cutText } from "../../lib/cut-text.ts";

/**
 * The number of rows per statement: with the longest address and source they stay below 1 MB per
 * parameter (D1 allows 2 MB).
 */
const ROWS_PER_STATEMENT = 1_000;

/**
 * The maximum length of a rejected entry in the response. Longer texts are not addresses anyway.
 */
const MAX_TOLD_EMAIL_CHARACTERS = 320;

export interface SuppressionInput {
  emails: string[];
  reason: SuppressionReason;
  /** At most 255 characters. */
  source: string;
}

/** What entries of a list have; an address and an id match one at most. */
interface SuppressionFilter {
  reason?: SuppressionReason | undefined;
  email?: string | undefined;
  id?: string | undefined;
}

/**
 * Returns a page of the list, newest first. Also returns the number of entries that match the
 * filter (from counters) if the page asks for it.
 */
export async function listSuppressions(
  ctx: Ctx,
  project: ProjectRow,
  { reason, ...one }: SuppressionFilter,
  page: ListPage<string>,
): Promise<{ suppressions: SuppressionRow[]; total: number | undefined }> {
  const { db } = ctx.deps;
  const reasons = reason ? [reason] : SUPPRESSION_REASONS;
  if (one.email !== undefined || one.id !== undefined) {
    const found = await selectOne(db, project.id, one, reasons, page);
    const total = totalOf(page, [{ total: found.length }]);
    return { suppressions: found.slice(page.offset), total };
  }
  const [suppressions, totals] = await runBatch(db, [
    selectPage(db, project.id, reasons, page),
    countFor(db, page, selectTotal(db, project.id, reasons)),
  ]);
  return { suppressions, total: totalOf(page, totals) };
}

/** An entry without a valid address; `row` is 0-based. */
export interface RejectedEmail {
  row: number;
  /** At most 320 characters of the entry. */
  email: string;
  reason: "invalid_syntax";
}

/**
 * Adds addresses to the list in one atomic batch. The route checks `suppressions:write`. `skipped`
 * counts entries that are invalid, repeated or already listed (API reference §12.4); `rejected`
 * lists the entries without a valid address. The audit trail records the addition only if an entry
 * was added.
 */
export async function addSuppressions(
  ctx: Ctx,
  project: ProjectRow,
  { emails, reason, source }: SuppressionInput,
): Promise<{ added: number; skipped: number; rejected: RejectedEmail[] }> {
  const { deps } = ctx;
  const { addresses, rejected } = sortOut(emails);
  if (addresses.length === 0) return { added: 0, skipped: emails.length, rejected };
  const exists = projectExists(project.id);
  const inserts: ReturnType<typeof suppressStatements>[] = [];
  for (let at = 0; at < addresses.length; at += ROWS_PER_STATEMENT) {
    const part = addresses.slice(at, at + ROWS_PER_STATEMENT);
    const entries = part.map((email) => ({ email, reason, source }));
    inserts.push(suppressStatements(deps, project.id, entries));
  }
  const added = newAmong(deps, project.id, addresses);
  const fact = {
    scopeId: project.id,
    action: "suppression.add",
    metadata: sql`json_object('added', (select count(*) from (${added})), 'reason', ${reason})`,
  } as const;
  const [, ...results] = await runBatch(deps.db, [
    auditStatement(ctx, fact, sql`${exists} and exists (${added})`),
    ...inserts.flat(),
  ]);
  const stored = results
    .filter((_, index) => index % 2 === 1) // each pair counts, then inserts
    .reduce((sum, { meta }) => sum + meta.changes, 0);
  return { added: stored, skipped: emails.length - stored, rejected };
}

/** Returns the query of the given addresses that are neither on the list nor erased. */
function newAmong({ config }: Deps, projectId: string, addresses: string[]): SQL {
  const rows = JSON.stringify(addresses.map((email) => withHashes(config, { email })));
  return sql`select 1 from json_each(${rows}) where not ${isErased(config, projectId)}
    and not ${isSuppressed(projectId, sql`value ->> 'email'`)}`;
}

function sortOut(emails: string[]): { addresses: string[]; rejected: RejectedEmail[] } {
  const addresses = new Set<string>();
  const rejected: RejectedEmail[] = [];
  for (const [row, text] of emails.entries()) {
    const parsed = parseEmailAddress(text);
    if (parsed.ok) addresses.add(parsed.address);
    else
      rejected.push({
        row,
        email: cutText(text, MAX_TOLD_EMAIL_CHARACTERS),
        reason: "invalid_syntax",
      });
  }
  return { addresses: [...addresses], rejected };
}

/**
 * Removes an entry from the list, so that later sends to the address proceed, and deletes the soft
 * bounces of the address. The route checks `suppressions:write`. Throws not_found if the project
 * has no such entry.
 */
export async function deleteSuppression(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db } = ctx.deps;
  const fact = {
    scopeId: project.id,
    action: "suppression.delete",
    targetId: id,
    metadata: suppressionFacts(id),
  } as const;
  const address = sql`(select email from suppressions where id = ${id} and project_id = ${project.id})`;
  const [, , , deleted] = await runBatch(db, [
    auditStatement(ctx, fact, suppressionExists(project.id, id)),
    uncountSuppression(db, project.id, id),
    deleteSoftBounces(db, project.id, address), // or the next one would suppress it again
    deleteSuppressionRow(db, project.id, id),
  ]);
  if (deleted.length === 0) throw notFound("suppression");
}
