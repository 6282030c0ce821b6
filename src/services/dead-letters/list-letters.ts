import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { countFor } from "../../db/paging.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
import { countLetters, selectLetters, selectWaiting, type Letter } from "./queries.ts";

/**
 * A page of the dead letters, with the number of those not replayed yet, and the total number if
 * the page asks for it.
 */
export interface LetterPage {
  letters: Letter[];
  total: number | undefined;
  waiting: number;
}

/** Lists the dead letters in one D1 round trip. The route admits only the operator. */
export async function listLetters(
  { deps: { db } }: Ctx,
  page: ListPage<string>,
): Promise<LetterPage> {
  const [letters, totals, waits] = await runBatch(db, [
    selectLetters(db, page),
    countFor(db, page, countLetters(db)),
    selectWaiting(db),
  ]);
  return { letters, total: totalOf(page, totals), waiting: waits[0]?.waiting ?? 0 };
}
