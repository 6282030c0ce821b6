import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { Page } from "../../lib/page.ts";
import { countLetters, selectLetters, selectWaiting, type Letter } from "./queries.ts";

/** A page of the dead letters, with the number of all and of those that wait for a replay. */
export interface LetterPage {
  letters: Letter[];
  total: number;
  waiting: number;
}

/** Lists the dead letters in one D1 round trip. The route admits the operator alone. */
export async function listLetters({ deps: { db } }: Ctx, page: Page): Promise<LetterPage> {
  const [letters, totals, waits] = await runBatch(db, [
    selectLetters(db, page),
    countLetters(db),
    selectWaiting(db),
  ]);
  return { letters, total: totals[0]?.total ?? 0, waiting: waits[0]?.waiting ?? 0 };
}
