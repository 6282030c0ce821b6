import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { uuidFloor } from "../../lib/ids.ts";
import { clickIpDays } from "../projects/index.ts";

/** The deliveries that one step looks at, and the steps of one run. */
const DELIVERIES_PER_STEP = 1_000;
const STEPS_PER_RUN = 50;

/** The deliveries of one webhook, and how far they are done. */
interface Span {
  webhookId: string;
  scope: string;
  /** The time before which all are done, and the last one that is done after it. */
  until: number;
  place: string | null;
  cutoff: number;
}

/**
 * Removes the IP addresses of clicks from the payloads of deliveries that are older than their project
 * keeps them. Each delivery is looked at once, in the order of ids, which is that of time, and a day
 * late, when no attempt of it is left. A run is bounded, and the next one goes on where it ended. Runs
 * every five minutes; a webhook has work once a day.
 */
export async function emptyClickAddresses(deps: Deps): Promise<void> {
  const { db } = deps;
  const scope = sql`'deliveries:' || p.id || ':' || w.id || ':' || ${clickIpDays}`;
  const cutoff = sql`${deps.now() - DAY_MS} - ${clickIpDays} * ${DAY_MS}`;
  const spans = await db.all<Span>(
    sql`select w.id as "webhookId", ${scope} as scope, coalesce(r.until, 0) as until, r.place, ${cutoff} as cutoff
      from webhooks w cross join projects p on p.id = w.project_id left join ip_retention r on r.scope = ${scope}
      where r.until is null or r.place is not null or r.until < ${cutoff} - ${DAY_MS}
      order by until limit ${STEPS_PER_RUN}`,
  );
  for (const span of spans) await emptySpan(deps, span);
}

async function emptySpan({ db }: Deps, { webhookId, scope, until, place, cutoff }: Span) {
  const isNext = sql`webhook_id = ${webhookId} and id > ${place ?? uuidFloor(Math.max(0, until))}
    and id < ${uuidFloor(Math.max(0, cutoff))}`;
  const [last]: { id: string }[] = await db.all<{ id: string }>(
    sql`select id from webhook_deliveries where ${isNext} order by id limit 1 offset ${DELIVERIES_PER_STEP - 1}`,
  );
  const isDone = last === undefined;
  await runBatch(db, [
    db.run(
      sql`update webhook_deliveries set payload = json_remove(payload, '$.data.ip')
        where ${isNext} ${isDone ? sql`` : sql`and id <= ${last.id}`} and event_type = 'email.clicked'
          and payload ->> '$.data.ip' is not null`,
    ),
    db.run(
      sql`insert into ip_retention (scope, until, place)
        values (${scope}, ${isDone ? cutoff : until}, ${isDone ? null : last.id})
        on conflict do update set until = excluded.until, place = excluded.place`,
    ),
  ]);
}
