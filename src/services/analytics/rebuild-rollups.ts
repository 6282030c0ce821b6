import type { SQL } from "drizzle-orm";
import { sha256Hex } from "../../lib/hash.ts";
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

/** A database in the hands of whoever rebuilds. */
export interface RebuildDatabase {
  query: <Row>(statement: SQL) => Promise<Row[]>;
  /** Runs statements as one atomic transaction. */
  batch: (statements: SQL[]) => Promise<void>;
}

/** D1 takes statements of 100 KB; what surrounds the links has the rest. */
const MAX_LINKS_BYTES = 90_000;

/** Where the log of one project or of all begins: nothing earlier may be made anew. */
export async function findLogStart(
  database: RebuildDatabase,
  scope: Pick<RebuildScope, "projectId">,
): Promise<LogStart> {
  const [start] = await database.query<LogStart>(selectLogStart(scope));
  return start ?? { projects: 0, wholeFrom: 0 };
}

/**
 * Makes the rollups of one project or of all anew from the log, from the UTC day that begins at
 * `fromMs` on; older rows stay as they are. Each day is one atomic batch that is right at its moment
 * whatever is sent, opened and clicked meanwhile, and so are the totals of all time at the end: what
 * stops in between can be started again. `onDay` hears of each day that was done.
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

/** Cuts a list into pieces of bounded length as JSON in a literal of SQL, where a quote is two. */
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
