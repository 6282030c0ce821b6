import { and, eq, inArray, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { segments } from "../../db/schema/index.ts";
import { AppError } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { takeHeavyRead } from "../limits/index.ts";
import { stretchOf } from "./audience.ts";
import { parseFixed } from "./compile.ts";
import type { Condition } from "./condition.ts";
import { LIGHT, STEP } from "./find-matching.ts";

/** The number of segments counted together. */
export const MOST_COUNTED_SEGMENTS = 20;

/** The number of subscribers who match a segment. */
interface SegmentCount {
  segmentId: string;
  count: number;
  /** True if others, who were not checked, may match. */
  more: boolean;
}

interface Counting extends SegmentCount {
  condition: Condition;
  after: string;
}

/**
 * Counts the subscribers of up to 20 segments, of any status that their conditions allow. Checks
 * 6,000 subscribers for each, from those with a tag, an address, a source or a consent that the
 * condition requires; leaves out a segment that is gone or cannot be read. If one needs more than
 * 1,000, the call is one expensive read.
 * Throws rate_limited.
 */
export async function countSegments(
  ctx: Ctx,
  project: ProjectRow,
  ids: readonly string[],
): Promise<SegmentCount[]> {
  const { db, now } = ctx.deps;
  const rows = await db
    .select()
    .from(segments)
    .where(and(eq(segments.projectId, project.id), inArray(segments.id, [...ids])));
  const counts = rows.flatMap(({ id, condition }) => begin(id, condition));
  const setting = { projectId: project.id, now: now() };
  const check = ({ condition, after }: Counting, limit: number) =>
    db.all<Checked>(sql`select looked, last, json_array_length(found) as count
      from (${stretchOf(condition, setting, { after, limit }, sql`true`)})`);
  const first = await runBatch(
    db,
    counts.map((counting) => check(counting, LIGHT)),
  );
  for (const [n, counting] of counts.entries()) add(counting, first[n] ?? [], LIGHT);
  const open = counts.filter(({ more }) => more);
  if (open.length > 0)
    await takeHeavyRead(ctx, project.id, async () => {
      for (const counting of open) add(counting, await check(counting, STEP), STEP);
    });
  return counts.map(({ segmentId, count, more }) => ({ segmentId, count, more }));
}

/** A checked stretch: its size, its last key, and the number of those who match. */
interface Checked {
  looked: number;
  last: string | null;
  count: number;
}

function add(counting: Counting, [checked]: Checked[], limit: number): void {
  if (!checked) return;
  counting.count += checked.count;
  counting.more = checked.looked === limit && checked.last !== null;
  counting.after = checked.last ?? "";
}

/** Returns the count of a segment before anybody is checked; none if its text cannot be read. */
function begin(segmentId: string, text: string): Counting[] {
  try {
    return [{ segmentId, condition: parseFixed(text), count: 0, more: true, after: "" }];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
