import { sql } from "drizzle-orm";
import type { Ctx } from "../../../context.ts";
import type { ProjectRow } from "../../access/index.ts";
import { ROW_COLUMNS, type LogRow } from "../log-rows.ts";
import { logKeptFrom } from "../retention.ts";
import { storedId, storedIdSql } from "../stored-form.ts";
import type { LogSearch } from "./log-search.ts";
import { END_OF_TIME_MS, examinedBy, matches } from "./search-queries.ts";

export interface BatchMails {
  size: number;
  /**
   * Returns the log ids of up to `count` mails starting at an index, in the order of the
   * recipients.
   */
  idsFrom: (index: number, count: number) => string[];
  /** The address to find. */
  email: string | undefined;
}

interface Matches {
  logs: LogRow[];
  /** The index of the last examined recipient, and the log id of the mail; null at the end. */
  next: [index: number, id: string] | null;
}

/**
 * Searches the mails of a batch in the order of its recipients. Their log ids are derived from the
 * batch, so each takes one lookup. A page examines as many recipients as it may show, or 1,000 with
 * other conditions.
 */
export async function searchBatch(
  { deps }: Ctx,
  project: ProjectRow,
  search: LogSearch,
  { size, idsFrom, email }: BatchMails,
  limit: number,
): Promise<Matches> {
  const { after } = search;
  const start = after ? Math.max(after[0] + 1, 0) : 0;
  const ids = idsFrom(start, examinedBy({ ...search, toEmail: email }, limit));
  const { to = END_OF_TIME_MS } = search;
  const from = Math.max(search.from ?? 0, logKeptFrom(deps) ?? 0);
  const isOfEmail = email === undefined ? sql`true` : sql`l.to_email = ${email}`;
  const found = await deps.db.all<LogRow & { place: number }>(
    sql`select ${ROW_COLUMNS}, page.place
      from (select key as place, ${storedIdSql(sql`value`)} as id from json_each(${JSON.stringify(ids)})) page
        cross join log_entries l on l.id = page.id
      where l.project_id = ${storedId(project.id)} and l.sent_at >= ${from} and l.sent_at < ${to}
        and ${isOfEmail} and ${matches(search)}
      order by page.place limit ${limit}`,
  );
  const logs = found.map(({ place: _place, ...row }) => row);
  const isFull = logs.length === limit;
  const last = isFull ? (found.at(-1)?.place ?? 0) : ids.length - 1;
  const id = ids[last];
  const isEnd = id === undefined || start + last + 1 >= size;
  return { logs, next: isEnd ? null : [start + last, id] };
}
