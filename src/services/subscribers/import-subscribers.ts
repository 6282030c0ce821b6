import { jsonSize, splitBySize } from "../../lib/split-by-size.ts";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { domainOf, parseEmailAddress, type EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { countWebhooks } from "../webhooks/index.ts";
import { isDisposableDomain } from "./disposable-domains.ts";
import { findDomainsWithoutMail } from "./mail-domains.ts";
import { insertSubscribers, type SubscriberStatus } from "./queries.ts";
import { sourceOf } from "./subscribers.ts";

/** One row as the caller gave it; its email may be unusable, and its status unknown. */
export interface ImportRow {
  email: string;
  name: string;
  status: SubscriberStatus | "invalid";
  metadata: Record<string, unknown>;
}

/** A row that the import refused; `row` counts from 0. */
export interface RejectedRow {
  row: number;
  email: string;
  reason: "invalid_syntax" | "invalid_status" | "no_mx" | "disposable";
}

/** A row with a valid status. */
type UsableRow = ImportRow & { status: SubscriberStatus };
const isUsable = (row: ImportRow): row is UsableRow => row.status !== "invalid";

/** The result of an import; it counts every row exactly once. */
export interface ImportResult {
  imported: number;
  /** Duplicates, in the file and against the list. */
  skipped: number;
  rejected: RejectedRow[];
}

/**
 * Bytes of JSON in one write: with the ids of events it stays below D1's limit for one value
 * (documented 2 MB).
 */
const CHUNK_BYTES = 1_000_000;

/** Characters of a rejected row's email in the answer; longer texts are no addresses anyway. */
const MAX_TOLD_EMAIL_CHARACTERS = 320;

/**
 * Adds many subscribers. It checks syntax, status, disposable domains and MX, and skips duplicates;
 * the first row of an email counts. The route checks `subscribers:write`. D1: one write for each
 * megabyte of rows. A caller may repeat an import that breaks off: it skips the rows that are
 * already in.
 */
export async function importSubscribers(
  ctx: Ctx,
  project: ProjectRow,
  rows: ImportRow[],
): Promise<ImportResult> {
  const rejected: RejectedRow[] = [];
  const reject = (row: number, { email }: ImportRow, reason: RejectedRow["reason"]) =>
    rejected.push({ row, email: email.slice(0, MAX_TOLD_EMAIL_CHARACTERS), reason });
  const usable: { row: number; given: UsableRow; address: EmailAddress }[] = [];
  for (const [row, given] of rows.entries()) {
    const parsed = parseEmailAddress(given.email);
    if (!parsed.ok) reject(row, given, "invalid_syntax");
    else if (!isUsable(given)) reject(row, given, "invalid_status");
    else usable.push({ row, given, address: parsed.address });
  }
  const domains = usable.map(({ address }) => domainOf(address));
  const refused = await findRefusedDomains(ctx, domains);
  const accepted = new Map<EmailAddress, UsableRow>();
  for (const { row, given, address } of usable) {
    const reason = refused.get(domainOf(address));
    if (reason) reject(row, given, reason);
    else if (!accepted.has(address)) accepted.set(address, given);
  }
  rejected.sort((a, b) => a.row - b.row);
  const imported = await insertAll(ctx, project.id, accepted);
  return { imported, skipped: rows.length - rejected.length - imported, rejected };
}

/**
 * Finds the domains whose rows the import rejects, and the reasons; domains of many rows come
 * first.
 */
async function findRefusedDomains(ctx: Ctx, domains: string[]) {
  const weights = new Map<string, number>();
  for (const domain of domains) weights.set(domain, (weights.get(domain) ?? 0) + 1);
  const heaviestFirst = [...weights].sort(([, a], [, b]) => b - a).map(([domain]) => domain);
  const { disposable = [], usual = [] } = Object.groupBy(heaviestFirst, (domain) =>
    isDisposableDomain(domain) ? "disposable" : "usual",
  );
  const refused = new Map<string, RejectedRow["reason"]>();
  for (const domain of await findDomainsWithoutMail(ctx.deps, usual)) refused.set(domain, "no_mx");
  for (const domain of disposable) refused.set(domain, "disposable");
  return refused;
}

async function insertAll(
  ctx: Ctx,
  projectId: string,
  accepted: Map<EmailAddress, UsableRow>,
): Promise<number> {
  const { deps } = ctx;
  const { now, newId } = deps;
  const at = now();
  const rows = [...accepted].map(([email, { name, status, metadata }]) => ({
    id: newId(),
    email,
    name,
    status,
    ...(Object.keys(metadata).length > 0 ? { metadata, source: sourceOf(metadata) } : {}),
  }));
  // Each webhook hears of each row, so more webhooks mean fewer rows in a statement.
  const [{ webhooks } = { webhooks: 0 }] = await countWebhooks(deps.db, projectId);
  let imported = 0;
  const limit = { items: Infinity, bytes: CHUNK_BYTES / Math.max(1, webhooks) };
  for (const chunk of splitBySize(rows, limit, jsonSize)) {
    const statements = insertSubscribers(deps, projectId, chunk, at);
    const [, , inserted] = await runBatch(deps.db, statements);
    imported += inserted.meta.changes;
  }
  return imported;
}
