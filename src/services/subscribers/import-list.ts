import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import { jsonSize, splitBySize } from "../../lib/split-by-size.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import { requireTopics } from "../topics/index.ts";
import { countWebhooks } from "../webhooks/index.ts";
import { MOST_CHANGED } from "./choose-subscribers.ts";
import { judgeList, surveyList, type Judged, type ListReason } from "./judge-list.ts";
import type { ListRow, Outcome } from "./list-row.ts";
import { countArrivals, writeArrivals, type Arrival, type ArrivalCounts } from "./list-writes.ts";
import { requireImport } from "./manage-imports.ts";
import { findRefusedDomains } from "./refused-domains.ts";
import { cutText } from "../../lib/cut-text.ts";

/** Bytes of JSON per write: below D1's limit per value (documented 2 MB). */
const CHUNK_BYTES = 1_000_000;

/** The maximum numbers of rejected rows and of examples in a response; our own limits. */
const MAX_TOLD_ROWS = 5_000;
const MAX_EXAMPLES = 5;

/**
 * The maximum length of a rejected email in the response. Longer texts are not addresses anyway.
 */
const MAX_TOLD_EMAIL_CHARACTERS = 320;

/** The counts of an import or its dry run. Each row counts once. */
export interface ListResult {
  rows: number;
  counts: ArrivalCounts & Record<"skipped" | "duplicates" | "ignored" | "rejected", number>;
  /** The first 5,000. */
  rejected: { line: number; email: string; reason: ListReason }[];
  /** The first five addresses. */
  sample: (Pick<ListRow, "email" | "name" | "tags" | "metadata"> & { outcome: Outcome })[];
  /** True if it adds suppressions, which requires `suppressions:write`. */
  suppresses: boolean;
}

export interface ListImport {
  rows: Iterable<ListRow>;
  /** The name of the format, which becomes the source of suppressions. */
  origin: string;
  /** The topics to which new subscribers consent, by id or name; undefined for the default ones. */
  topics: readonly string[] | undefined;
  /** The import that its people belong to. */
  importId: string | undefined;
  isDryRun: boolean;
  /** True if the caller may add suppressions. */
  maySuppress: boolean;
}

/**
 * Imports a list from another service (API reference §12.11). Adds subscribers and unsubscribes
 * those who opted out there. Never makes a subscriber active again. The route checks
 * `subscribers:write`. D1: one batch per 1,000 rows. An interrupted import can be repeated. A dry
 * run counts with the same queries and writes nothing. The rows are read twice and never all held
 * in memory. Throws 403 for suppressions that the caller may not add, and 400 for an unknown topic,
 * and not_found for an unknown import. Nothing is written then.
 */
export async function importList(
  ctx: Ctx,
  project: ProjectRow,
  { rows, origin, topics, importId, isDryRun, maySuppress }: ListImport,
): Promise<ListResult> {
  const { db } = ctx.deps;
  const facts = surveyList(rows);
  const { suppresses } = facts;
  if (suppresses && !maySuppress && !isDryRun) throw refusal("import_adds_suppressions", {});
  await requireTopics(db, project.id, topics ?? []);
  const pathOf = (name: string) => `line ${facts.topics.get(name) ?? 1}: topics`;
  await requireTopics(db, project.id, [...facts.topics.keys()], pathOf);
  await requireImport(db, project.id, importId);
  const refusedDomains = await findRefusedDomains(ctx, facts.weights);
  const counts = {
    imported: 0,
    unsubscribed: 0,
    suppressed: 0,
    skipped: 0,
    duplicates: 0,
    ignored: 0,
    rejected: 0,
  };
  const result: ListResult = { rows: facts.rows, counts, rejected: [], sample: [], suppresses };
  const arrivals = notedArrivals(judgeList(rows, facts, refusedDomains), result);
  const [{ webhooks } = { webhooks: 0 }] = await countWebhooks(db, project.id);
  // Each webhook is notified of each row, so more webhooks mean fewer rows per statement.
  const limit = { items: MOST_CHANGED, bytes: CHUNK_BYTES / Math.max(1, webhooks) };
  let isFirst = true;
  for (const chunk of splitBySize(arrivals, limit, ({ row }) => jsonSize(row))) {
    const writes = isDryRun
      ? []
      : writeArrivals(ctx, project.id, chunk, { origin, topics, importId });
    const noted = isFirst && !isDryRun ? [noteImport(ctx, project.id, origin, facts.rows)] : [];
    const count = countArrivals(ctx.deps, project.id, chunk);
    const [[counted]] = await runBatch(db, [count, ...noted, ...writes]);
    isFirst = false;
    counts.imported += counted?.imported ?? 0;
    counts.unsubscribed += counted?.unsubscribed ?? 0;
    counts.suppressed += counted?.suppressed ?? 0;
  }
  const { imported, unsubscribed, suppressed, ignored, rejected } = counts;
  counts.skipped = facts.rows - imported - unsubscribed - suppressed - ignored - rejected;
  return result;
}

/** Yields the addresses to write, and records the other rows in the result. */
function* notedArrivals(
  judged: Iterable<Judged | undefined>,
  { counts, rejected, sample }: ListResult,
): Generator<Arrival> {
  for (const one of judged) {
    if (one === undefined) {
      counts.duplicates += 1;
      continue;
    }
    if ("reason" in one) {
      const { reason, row } = one;
      counts.rejected += 1;
      const email = cutText(row.email, MAX_TOLD_EMAIL_CHARACTERS);
      if (rejected.length < MAX_TOLD_ROWS) rejected.push({ line: row.line, email, reason });
      continue;
    }
    const { email, outcome, row } = one;
    if (sample.length < MAX_EXAMPLES)
      sample.push({ email, name: row.name, outcome, tags: row.tags, metadata: row.metadata });
    if (outcome === "ignored") counts.ignored += 1;
    else yield one;
  }
}

function noteImport(ctx: Ctx, projectId: string, format: string, rows: number) {
  const fact = {
    scopeId: projectId,
    action: "audience.import",
    metadata: { format, rows },
  } as const;
  return auditStatement(ctx, fact, projectExists(projectId));
}
