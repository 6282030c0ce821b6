import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { followsId } from "../../db/paging.ts";
import { spanOf, type ListPage } from "../../lib/page.ts";

/** The number of characters of a body that a list shows. */
const PREVIEW_CHARACTERS = 500;

/** The maximum number of unreplayed letters that a count reads. */
const MAX_COUNTED = 1_000;

/** A dead letter as the operator sees it. */
export interface Letter {
  id: string;
  queue: string;
  type: string;
  bytes: number;
  failedAt: number;
  replayedAt: number | null;
  /** The beginning of its body; null if the body was not stored. */
  preview: string | null;
}

const LETTER = sql`id, queue, type, bytes, failed_at as "failedAt", replayed_at as "replayedAt",
  substr(body, 1, ${PREVIEW_CHARACTERS}) as preview`;

/** Selects one dead letter with its whole body: at most one row. */
export const selectLetter = (db: Database, id: string) =>
  db.all<Letter & { body: string | null }>(
    sql`select ${LETTER}, body from dead_letters where id = ${id}`,
  );

/** Selects the number of letters not replayed yet, up to 1,000. */
export const selectWaiting = (db: Database) =>
  db.all<{ waiting: number }>(
    sql`select count(*) as waiting
      from (select 1 from dead_letters where replayed_at is null limit ${MAX_COUNTED})`,
  );

/** Selects a page of the dead letters, newest first. */
export function selectLetters(db: Database, page: ListPage<string>) {
  const { limit, offset } = spanOf(page);
  return db.all<Letter>(
    sql`select ${LETTER} from dead_letters where ${followsId(page)}
      order by id desc limit ${limit} offset ${offset}`,
  );
}

/** Selects the total number of dead letters; at most some 5,000 of them are not replayed yet. */
export const countLetters = (db: Database) =>
  db.all<{ total: number }>(sql`select count(*) as total from dead_letters`);
