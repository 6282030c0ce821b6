import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch, type Database } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { uuidFloor } from "../../lib/ids.ts";
import { clickIpDays } from "../projects/index.ts";
import { retentionSpan, webhookIs } from "./queries.ts";

/** The number of deliveries examined per step, and of steps per run. */
const DELIVERIES_PER_STEP = 1_000;
const STEPS_PER_RUN = 50;

/** The deliveries of one webhook, and the progress of the scan. */
interface Span {
  webhookId: string;
  projectId: string;
  scope: string;
  /** The time before which all deliveries are done, and the last delivery done after it. */
  until: number;
  place: string | null;
  cutoff: number;
}

/**
 * Removes the IP addresses of clicks from the payloads of deliveries that exceed their project's IP
 * retention. Examines each delivery once, in the order of ids, which is chronological. This happens
 * a day late, when no attempt at the delivery is left. For a replay, the time of its event counts.
 * A run is limited: each webhook gets a step, and those that have more work share the rest. The
 * next run continues where it ended. Runs every five minutes. A webhook has work once a day.
 */
export async function emptyClickAddresses(deps: Deps): Promise<void> {
  const { db } = deps;
  const scope = sql`'deliveries:' || p.id || ':' || w.id || ':' || ${clickIpDays}`;
  const cutoff = sql`${deps.now() - DAY_MS} - ${clickIpDays} * ${DAY_MS}`;
  let spans = await db.all<Span>(
    sql`select w.id as "webhookId", p.id as "projectId", ${scope} as scope, coalesce(r.until, 0) as until, r.place,
        ${cutoff} as cutoff
      from webhooks w cross join projects p on p.id = w.project_id left join ip_retention r on r.scope = ${scope}
      where r.until is null or r.place is not null or r.until < ${cutoff} - ${DAY_MS}
      order by until limit ${STEPS_PER_RUN}`,
  );
  let steps = STEPS_PER_RUN;
  while (spans.length > 0 && steps > 0) {
    const open: Span[] = [];
    const turn = spans.slice(0, steps);
    steps -= turn.length;
    for (const span of turn) {
      const place = await emptyStep(deps, span);
      if (place !== null) open.push({ ...span, place });
    }
    spans = open;
  }
}

/**
 * Removes the addresses from the next deliveries of a span. Returns the last of them, or null at
 * the end.
 */
async function emptyStep({ db }: Deps, span: Span): Promise<string | null> {
  const { projectId, webhookId, scope, until, cutoff } = span;
  const end = uuidFloor(Math.max(0, cutoff));
  const isNext = sql`webhook_id = ${webhookId} and id > ${span.place ?? uuidFloor(Math.max(0, until))}
    and id < ${end}`;
  const [last]: { id: string }[] = await db.all<{ id: string }>(
    sql`select id from webhook_deliveries where ${isNext} order by id limit 1 offset ${DELIVERIES_PER_STEP - 1}`,
  );
  const place = last?.id ?? null;
  const [from, to] = retentionSpan(projectId, webhookId);
  await runBatch(db, [
    emptyPayloads(db, sql`${isNext} ${last ? sql`and id <= ${last.id}` : sql``}`),
    emptyPayloads(db, sql`webhook_id = ${webhookId} and ${IS_REPLAY} and event_id < ${end}`),
    db.run(
      sql`delete from ip_retention where scope > ${from} and scope < ${to} and scope <> ${scope}`,
    ),
    db.run(
      sql`insert into ip_retention (scope, until, place)
        select ${scope}, ${place === null ? cutoff : until}, ${place}
        where ${webhookIs(projectId, webhookId)}
        on conflict do update set until = excluded.until, place = excluded.place`,
    ),
  ]);
  return place;
}

/**
 * The condition of the index webhook_deliveries_replayed: the id starts differently from that of
 * its event.
 */
const IS_REPLAY = sql`event_type = 'email.clicked' and substr(id, 1, 24) <> substr(event_id, 1, 24)`;

function emptyPayloads(db: Database, which: SQL) {
  return db.run(
    sql`update webhook_deliveries set payload = json_remove(payload, '$.data.ip')
      where ${which} and event_type = 'email.clicked' and payload ->> '$.data.ip' is not null`,
  );
}
