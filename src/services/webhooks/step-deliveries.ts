import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { isoTime } from "../../db/iso-time.ts";
import { toHex } from "../../lib/encoding.ts";
import { seal } from "../../lib/seal.ts";
import { hasRoom } from "../storage/index.ts";
import { RETURNING_WRITTEN, type Written } from "./delivery-queries.ts";
import { waking, type EventType } from "./emit-events.ts";
import { secretContext } from "./sign.ts";
import { MAX_WEBHOOKS, requireHost, SECRET_BYTES } from "./webhooks.ts";

const TYPE: EventType = "automation.step";

/**
 * Returns the statements that report to a URL that people have reached a step: one event each, for
 * the project's webhook with this URL. If it has none, they add one for this event alone, within
 * the limit of webhooks. `people` selects `run_id` and `data` (JSON text), and `ids` are their run
 * ids. Throws 400 for a private URL.
 */
export async function stepDeliveries(
  deps: Deps,
  { projectId, url, ids }: { projectId: string; url: string; ids: string[] },
  people: SQL,
): Promise<Statement[]> {
  const { db, config, newId, now } = deps;
  const at = now();
  const id = newId();
  const secret = toHex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const sealed = await seal(config.sealingKeys, secret, secretContext(id));
  const own = sql`from webhooks where project_id = ${projectId}`;
  const quota = sql`${config.workspaceStorageBytes}`;
  const eventIds = JSON.stringify(Object.fromEntries(ids.map((run) => [run, newId()])));
  return [
    db.run(
      sql`insert into webhooks (id, project_id, url, host, secret_sealed, events, active, created_at)
        select ${id}, ${projectId}, ${url}, ${requireHost(deps, url)}, ${sealed}, ${JSON.stringify([TYPE])}, 1, ${at}
        where exists (${people}) and not exists (select 1 ${own} and url = ${url})
          and (select count(*) ${own}) < ${MAX_WEBHOOKS}`,
    ),
    waking(
      deps,
      db.all<Written>(
        sql`insert into webhook_deliveries (webhook_id, id, project_id, event_id, event_type, payload, status, due_at, created_at)
          select w.id, substr(event.value, 1, 24) || lower(hex(randomblob(6))), ${projectId}, event.value, ${TYPE},
            json_object('id', event.value, 'type', ${TYPE}, 'created_at', ${isoTime(sql`${at}`)}, 'project_id', ${projectId},
              'data', json(person.data)),
            'pending', ${at}, ${at}
          from (${people}) person cross join json_each(${eventIds}) event on event.key = person.run_id
            cross join webhooks w on w.id = (select id ${own} and url = ${url} and active order by created_at, id limit 1)
          where ${hasRoom(sql`${projectId}`, sql`${at}`, quota)}
          ${RETURNING_WRITTEN}`,
      ),
    ),
  ];
}
