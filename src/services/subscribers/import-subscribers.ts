import { jsonSize, splitBySize } from "../../lib/split-by-size.ts";
import type { Ctx } from "../../context.ts";
import { sql } from "drizzle-orm";
import { runBatchAfter } from "../../db/client.ts";
import type { SubscriberFields } from "../../db/subscriber-columns.ts";
import { domainOf, parseMailbox, type EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { noteAdded } from "../storage/index.ts";
import { importConsents, MOST_TOPICS, requireTopics } from "../topics/index.ts";
import { countWebhooks } from "../webhooks/index.ts";
import { insertSubscribers, type NewSubscriber, type SubscriberStatus } from "./queries.ts";
import { noteImported, requireImport } from "./manage-imports.ts";
import { findRefusedDomains, type RefusedDomains } from "./refused-domains.ts";
import { filledFields } from "./subscribers.ts";
import { cutText } from "../../lib/cut-text.ts";

/** One row as given; its email may be unusable, and its status unknown. */
export interface ImportRow extends SubscriberFields {
  email: string;
  status: SubscriberStatus | "invalid";
  /** The topics to subscribe to, by id or name; undefined for the default ones. */
  topics: string[] | undefined;
  /** Its 1-based line in the body, if the body has lines. */
  line?: number | undefined;
}

/** An invalid value in place of a row. */
export interface FaultyRow extends Pick<ImportRow, "email" | "line"> {
  fault: string;
}

/** Rows that can be read repeatedly. */
interface ImportRows extends Iterable<ImportRow | FaultyRow> {
  length: number;
}

/** A rejected row. `row` is 0-based, `line` is 1-based. */
export interface RejectedRow {
  row: number;
  line?: number;
  email: string;
  reason: "invalid_row" | "invalid_syntax" | "invalid_status" | "no_mx" | "disposable";
  /** The fault of an invalid row. */
  detail?: string;
}

/** The result of an import; each row counts exactly once. */
export interface ImportResult {
  imported: number;
  /** Duplicates within the file or of existing subscribers. */
  skipped: number;
  rejected: RejectedRow[];
}

/** Bytes of JSON per write: below D1's limit per value (documented 2 MB). */
const CHUNK_BYTES = 1_900_000;

/**
 * Bytes that a write adds to a row: the ids of its event and its import, and the hashes of its email
 * with two keys.
 */
const ADDED_BYTES = 190;

/**
 * The maximum length of a rejected email in the response. Longer texts are not addresses anyway.
 */
const MAX_TOLD_EMAIL_CHARACTERS = 320;

/**
 * Adds many subscribers. Checks syntax, status, disposable domains and MX, and skips duplicates. Of
 * several rows with one email, the first counts. The route checks `subscribers:write`. D1: one
 * write per 1.9 MB of rows. An interrupted import can be repeated; rows already stored are skipped.
 * The rows are read twice, for their domains and to write them, and never all held in memory. With
 * an import, it assigns all named subscribers to it, and throws not_found if it does not exist.
 */
export async function importSubscribers(
  ctx: Ctx,
  project: ProjectRow,
  rows: ImportRows,
  importId?: string,
): Promise<ImportResult> {
  await requireImport(ctx.deps.db, project.id, importId);
  const weights = new Map<string, number>();
  const topics = new Map<string, string>();
  let row = -1;
  for (const given of rows) {
    row += 1;
    if ("fault" in given) continue;
    noteTopics(topics, given, given.line === undefined ? `row ${row}` : `line ${given.line}`);
    const judged = judge(given, NONE_REFUSED);
    if ("reason" in judged) continue;
    const domain = domainOf(judged.email);
    weights.set(domain, (weights.get(domain) ?? 0) + 1);
  }
  const pathOf = (topic: string) => topics.get(topic) ?? "topics";
  await requireTopics(ctx.deps.db, project.id, [...topics.keys()], pathOf);
  const refused = await findRefusedDomains(ctx, weights);
  const rejected: RejectedRow[] = [];
  const reject: Reject = (row, { email: text, line }, why) => {
    const email = cutText(text, MAX_TOLD_EMAIL_CHARACTERS);
    rejected.push({ row, ...(line === undefined ? {} : { line }), email, ...why });
  };
  const accepted = acceptedRows(ctx, rows, refused, reject);
  const imported = await insertAll(ctx, project.id, accepted, importId);
  return { imported, skipped: rows.length - rejected.length - imported, rejected };
}

/** Records the path of each topic at its first occurrence. */
function noteTopics(paths: Map<string, string>, given: ImportRow, where: string): void {
  for (const [at, topic] of (given.topics ?? []).entries()) {
    // A project has at most 50 topics, each with two names, so with more names at least one is
    // unknown.
    if (paths.size > 2 * MOST_TOPICS) return;
    if (!paths.has(topic)) paths.set(topic, `${where}: topics.${at}`);
  }
}

const NONE_REFUSED: RefusedDomains = new Map();

type Why = Pick<RejectedRow, "reason" | "detail">;

/** Returns the email, the name and the status of a row, or the reason to reject it. */
function judge(
  given: ImportRow,
  refused: RefusedDomains,
): (Pick<NewSubscriber, "name" | "status"> & { email: EmailAddress }) | Why {
  const parsed = parseMailbox(given.email);
  if (!parsed.ok) return { reason: "invalid_syntax" };
  if (given.status === "invalid") return { reason: "invalid_status" };
  const { address: email, name } = parsed.mailbox;
  const reason = refused.get(domainOf(email));
  return reason ? { reason } : { email, name: given.name || name, status: given.status };
}

type Arriving = NewSubscriber & { topics?: string[] };

type Reject = (row: number, given: Pick<ImportRow, "email" | "line">, why: Why) => void;

/** Yields the first valid row of each email as a subscriber. */
function* acceptedRows(
  { deps }: Ctx,
  rows: ImportRows,
  refused: RefusedDomains,
  reject: Reject,
): Generator<Arriving> {
  const seen = new Set<EmailAddress>();
  let row = -1;
  for (const given of rows) {
    row += 1;
    if ("fault" in given) {
      reject(row, given, { reason: "invalid_row", detail: given.fault });
      continue;
    }
    const judged = judge(given, refused);
    if ("reason" in judged) {
      reject(row, given, judged);
    } else if (!seen.has(judged.email)) {
      seen.add(judged.email);
      const topics = given.topics && { topics: given.topics };
      yield { id: deps.newId(), ...filledFields(given), ...judged, ...topics };
    }
  }
}

async function insertAll(
  ctx: Ctx,
  projectId: string,
  accepted: Iterable<Arriving>,
  importId: string | undefined,
): Promise<number> {
  const { deps } = ctx;
  const at = deps.now();
  // Each webhook is notified of each row, so more webhooks mean fewer rows per statement.
  const [{ webhooks } = { webhooks: 0 }] = await countWebhooks(deps.db, projectId);
  let imported = 0;
  const limit = { items: Infinity, bytes: CHUNK_BYTES / Math.max(1, webhooks) };
  const sizeOf = (row: Arriving) => ({ items: 1, bytes: jsonSize(row).bytes + ADDED_BYTES });
  for (const chunk of splitBySize(accepted, limit, sizeOf)) {
    const added = importId === undefined ? chunk : chunk.map((row) => ({ ...row, importId }));
    const statements = insertSubscribers(deps, projectId, added, at);
    const ids = chunk.map(({ id }) => id);
    const before = [
      ...statements,
      ...importConsents(deps, projectId, undefined, chunk),
      ...noteImported(deps.db, projectId, importId, {
        ids,
        emails: chunk.map(({ email }) => email),
      }),
      ...noteAdded(deps, projectId, ids),
    ];
    const [[counted]] = await runBatchAfter(deps.db, before, [
      deps.db.all<{ n: number }>(
        sql`select count(*) as n from subscribers where id in (select value from json_each(${JSON.stringify(ids)}))`,
      ),
    ]);
    imported += counted?.n ?? 0;
  }
  return imported;
}
