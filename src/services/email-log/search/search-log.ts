import type { Ctx } from "../../../context.ts";
import { runBatch } from "../../../db/client.ts";
import type { ProjectRow } from "../../access/index.ts";
import { broadcastLogId } from "../broadcast-log-id.ts";
import type { LogRow } from "../log-rows.ts";
import { logKeptFrom } from "../retention.ts";
import { examinedBy, selectEnd, selectMatches } from "./search-queries.ts";
import type { LogSearch, Recipient } from "./log-search.ts";

/** A page of matches, newest first. */
interface Matches {
  logs: LogRow[];
  /** The last entry examined; null at the end. */
  next: [sentAt: number, id: string] | null;
}

/**
 * Searches the log, newest first. No index covers these conditions together. One page therefore
 * examines at most 1,000 entries of each status, regardless of what it finds, and the next one
 * continues from there; without conditions, it examines only those that it shows. The entries of one recipient come from an index, and from the derived ids
 * of their mails in the broadcasts that the caller names.
 */
export async function searchLog(
  ctx: Ctx,
  project: ProjectRow,
  search: LogSearch,
  recipient: Recipient | undefined,
  limit: number,
): Promise<Matches> {
  const { db } = ctx.deps;
  const keptFrom = logKeptFrom(ctx.deps) ?? 0;
  const from = Math.max(search.from ?? 0, keptFrom);
  const page = {
    search: { ...search, from },
    source: recipient && { email: recipient.email, ids: idsOf(recipient) },
    most: examinedBy(search, limit),
  };
  const [logs, ends] = await runBatch(db, [
    selectMatches(db, project.id, page, limit),
    selectEnd(db, project.id, page),
  ]);
  const last = logs.at(-1);
  if (last && logs.length === limit) return { logs, next: [last.sentAt, last.id] };
  const [end] = ends;
  return { logs, next: end ? [end.at, end.id] : null };
}

/** Returns the ids of a subscriber's mails in broadcasts and automations. */
function idsOf({ subscriberId, broadcasts }: Recipient): string[] {
  if (subscriberId === undefined) return [];
  return broadcasts.map((broadcast) => broadcastLogId(broadcast, subscriberId, broadcast.page));
}
