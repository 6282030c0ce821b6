import { desc, inArray } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import { subscribers } from "../../db/schema/index.ts";
import type { Message } from "../../messages/message.ts";
import type { ProjectRow } from "../access/index.ts";
import { joined, type Condition } from "./condition.ts";
import { findMatching } from "./find-matching.ts";
import { findUnknownKeys } from "./unknown-keys.ts";

type SubscriberRow = typeof subscribers.$inferSelect;

/** The number of subscribers that a preview shows. */
const SAMPLE = 10;

const MOST_COUNTED = 10_000;

/** The number of subscribers who match a condition, and a sample of them, newest first. */
export interface SegmentPreview {
  count: number;
  /** True if more than `count` match. */
  more: boolean;
  sample: SubscriberRow[];
  /** Metadata keys that no subscriber seems to have. */
  warnings: Message[];
}

/** An additional condition on subscribers, which does not count toward the comparison limit. */
interface Narrowing {
  status?: SubscriberRow["status"] | undefined;
  topicId?: string | undefined;
}

const narrowed = ({ status, topicId }: Narrowing, condition: Condition): Condition =>
  joined("and", [...termOf("status", status), ...termOf("topic", topicId), condition]);

const termOf = (field: string, value: string | undefined): Condition[] =>
  value === undefined ? [] : [{ field, op: "is", values: [value] }];

/**
 * Counts the subscribers who match a condition, of any status that it allows, up to 10,000, and
 * returns ten of them. Reads at most two rows per subscriber that it checks: all subscribers of the
 * project, or those with a tag, an address, a source or a consent that the condition requires; for
 * metadata keys that none of the ten has, also the 100 newest subscribers of each status.
 * Throws 400 for a topic that the project does not have, and rate_limited.
 */
export async function previewSegment(
  ctx: Ctx,
  project: ProjectRow,
  given: Condition,
  narrowing: Narrowing,
): Promise<SegmentPreview> {
  const { db } = ctx.deps;
  const condition = narrowed(narrowing, given);
  const ids = await findMatching(ctx, project.id, condition, { most: MOST_COUNTED + 1 });
  const more = ids.length > MOST_COUNTED;
  const count = more ? MOST_COUNTED : ids.length;
  const sample = count === 0 ? [] : await selectSample(db, ids.slice(0, SAMPLE));
  return { count, more, sample, warnings: await findUnknownKeys(db, project.id, given, sample) };
}

const selectSample = (db: Database, ids: string[]) =>
  db.select().from(subscribers).where(inArray(subscribers.id, ids)).orderBy(desc(subscribers.id));
