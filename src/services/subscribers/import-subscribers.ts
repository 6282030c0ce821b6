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

/** One row as it was given; its email may turn out to be unusable, and its status not be one. */
export interface ImportRow {
  email: string;
  name: string;
  status: SubscriberStatus | "invalid";
  metadata: Record<string, unknown>;
}

/** A row that was not taken; `row` counts from 0. */
export interface RejectedRow {
  row: number;
  email: string;
  reason: "invalid_syntax" | "invalid_status" | "no_mx" | "disposable";
}

/** A row whose status is one. */
type UsableRow = ImportRow & { status: SubscriberStatus };
const isUsable = (row: ImportRow): row is UsableRow => row.status !== "invalid";

/** What became of an import: every row is in exactly one of the three. */
export interface ImportResult {
  imported: number;
  /** Duplicates, in the file and against the list. */
  skipped: number;
  rejected: RejectedRow[];
}

/** JSON of one write: with the ids of events below what D1 takes as one value (documented 2 MB). */
const CHUNK_BYTES = 1_000_000;

/** A rejected row's email is told back up to here; longer ones are no addresses anyway. */
const MAX_TOLD_EMAIL_CHARACTERS = 320;

/**
 * Adds many subscribers: syntax, status, disposable domains and MX are checked, duplicates are skipped and
 * the first row of an email counts. Authorised by the route (`subscribers:write`).
 * D1: one write for each megabyte of rows. An import that breaks off can be repeated:
 * what is already in is skipped then.
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

/** Domains whose rows are rejected, and why; a domain of many rows is looked up before one of few. */
async function findRefusedDomains(ctx: Ctx, domains: string[]) {
  const weights = new Map<string, number>();
  for (const domain of domains) weights.set(domain, (weights.get(domain) ?? 0) + 1);
  const heaviestFirst = [...weights].sort(([, a], [, b]) => b - a).map(([domain]) => domain);
  const { disposable = [], usual = [] } = Object.groupBy(heaviestFirst, (domain) =>
    isDisposableDomain(domain) ? "disposable" : "usual",
  );
  const refused = new Map<string, RejectedRow["reason"]>();
  for (const domain of await findDomainsWithoutMail(ctx.app, usual)) refused.set(domain, "no_mx");
  for (const domain of disposable) refused.set(domain, "disposable");
  return refused;
}

async function insertAll(
  ctx: Ctx,
  projectId: string,
  accepted: Map<EmailAddress, UsableRow>,
): Promise<number> {
  const { app } = ctx;
  const { now, newId } = app;
  const at = now();
  const rows = [...accepted].map(([email, { name, status, metadata }]) => ({
    id: newId(),
    email,
    name,
    status,
    ...(Object.keys(metadata).length > 0 ? { metadata, source: sourceOf(metadata) } : {}),
  }));
  // Each webhook is told of each row: a statement stays as small as one without any.
  const [{ webhooks } = { webhooks: 0 }] = await countWebhooks(app.db, projectId);
  let imported = 0;
  const limit = { items: Infinity, bytes: CHUNK_BYTES / Math.max(1, webhooks) };
  for (const chunk of splitBySize(rows, limit, jsonSize)) {
    const statements = insertSubscribers(app, projectId, chunk, at);
    const [, , inserted] = await runBatch(app.db, statements);
    imported += inserted.meta.changes;
  }
  return imported;
}
