import { desc, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { subscribers } from "../../db/schema/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { audienceOf } from "./audience.ts";
import { joined, type Condition } from "./condition.ts";
import { requireKnownTopics, selectUnknownTopics, topicsOf } from "./unknown-topics.ts";

type SubscriberRow = typeof subscribers.$inferSelect;

/** The number of subscribers that a preview shows. */
const SAMPLE = 10;

/** The number of subscribers who fit a condition, and some of them, newest first. */
export interface SegmentPreview {
  count: number;
  sample: SubscriberRow[];
}

/** What subscribers need beside a condition; the limit of its comparisons does not count it. */
interface Narrowing {
  status?: SubscriberRow["status"] | undefined;
  topicId?: string | undefined;
}

const narrowed = ({ status, topicId }: Narrowing, condition: Condition): Condition =>
  joined("and", [...termOf("status", status), ...termOf("topic", topicId), condition]);

const termOf = (field: string, value: string | undefined): Condition[] =>
  value === undefined ? [] : [{ field, op: "is", values: [value] }];

/**
 * Counts the subscribers who fit a condition, of any status that it allows, and shows ten of them.
 * Reads at most two rows for each subscriber that it looks at: all subscribers of the project, or
 * those with a tag or a consent that the condition requires. The search for the ten ends early,
 * unless few subscribers fit. Throws bad_request for a topic that the project does not have.
 */
export async function previewSegment(
  { deps }: Ctx,
  project: ProjectRow,
  given: Condition,
  narrowing: Narrowing,
): Promise<SegmentPreview> {
  const { db } = deps;
  const condition = narrowed(narrowing, given);
  const { from, where, id } = audienceOf(condition, {
    projectId: project.id,
    now: deps.now(),
    inAnyOrder: true,
  });
  const [unknown, [counted]] = await runBatch(db, [
    selectUnknownTopics(db, project.id, topicsOf(condition)),
    db.all<{ count: number }>(sql`select count(*) as count from ${from} where ${where}`),
  ]);
  requireKnownTopics(unknown);
  const count = counted?.count ?? 0;
  if (count === 0) return { count, sample: [] };
  const some = sql`select ${id} from ${from} where ${where} limit ${SAMPLE}`;
  const sample = await db
    .select()
    .from(subscribers)
    .where(sql`${subscribers.id} in (${some})`)
    .orderBy(desc(subscribers.id));
  return { count, sample };
}
