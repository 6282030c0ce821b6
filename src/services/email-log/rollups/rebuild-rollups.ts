import type { SQL } from "drizzle-orm";
import { sha256Hex } from "../../../lib/hash.ts";
import {
  insertLinkRows,
  rebuildAllTime,
  rebuildDay,
  selectDays,
  selectLogStart,
  selectMissingLinks,
  type LogStart,
  type MissingLink,
  type RebuildScope,
} from "./rebuild-queries.ts";

/** The database access that a rebuild needs. */
export interface RebuildDatabase {
  query: <Row>(statement: SQL) => Promise<Row[]>;
  /** Runs statements as one atomic transaction. */
  batch: (statements: SQL[]) => Promise<void>;
}

/**
 * The maximum size of the links in one statement, in bytes. D1 accepts 100 KB; the rest of the
 * statement needs the difference.
 */
const MAX_LINKS_BYTES = 90_000;

/** Returns the start of the log of one project or of all. Nothing earlier may be rebuilt. */
export async function findLogStart(
  database: RebuildDatabase,
  scope: Pick<RebuildScope, "projectId">,
): Promise<LogStart> {
  const [start] = await database.query<LogStart>(selectLogStart(scope));
  return start ?? { projects: 0, wholeFrom: 0 };
}

/**
 * Rebuilds the rollups of one project or of all from the log, starting with the UTC day that begins
 * at `fromMs`. Older rows stay unchanged. Each day, and the final batch of all-time totals, is one
 * atomic batch that stays correct while mails are sent, opened and clicked. An interrupted rebuild
 * can be restarted. Calls `onDay` after each day.
 */
export async function rebuildRollups(
  database: RebuildDatabase,
  scope: RebuildScope,
  fromMs: number,
  onDay: (dayMs: number) => void = () => undefined,
): Promise<void> {
  const days = await database.query<{ at: number }>(selectDays(scope, fromMs));
  for (const { at: day } of days) {
    const missing = await database.query<MissingLink>(selectMissingLinks(scope, day));
    const links = missing.map((link) => ({ ...link, urlHash: sha256Hex(link.url) }));
    for (const some of bySize(links)) await database.batch([insertLinkRows(day, some)]);
    await database.batch(rebuildDay(scope, day));
    onDay(day);
  }
  await database.batch(rebuildAllTime(scope));
}

/**
 * Splits a list into pieces whose JSON fits in an SQL literal, in which a quote takes two bytes.
 */
function bySize<T>(items: T[]): T[][] {
  const pieces: T[][] = [];
  let room = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item).replaceAll("'", "''")) + 1;
    if (size > room) {
      pieces.push([]);
      room = MAX_LINKS_BYTES;
    }
    pieces.at(-1)?.push(item);
    room -= size;
  }
  return pieces;
}
