import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../../db/client.ts";
import { LOG_STATUSES } from "../../../db/schema/index.ts";
import { uncountedSql } from "../uncounted.ts";
import { addSelected } from "../rollups/add-to-rollups.ts";
import { carriedId, carryId, storedId, storedStatusSql } from "../stored-form.ts";
import { MOVED_COLUMNS, type MovedEntry } from "./select-log-page.ts";

/** Returns the condition that one of these entries belongs to another project. */
export function holdsForeignEntries(projectId: string, ids: string[]): SQL {
  const list = JSON.stringify(ids.map(carryId));
  return sql`exists (select 1 from log_entries l
    where l.id in (select ${carriedId(sql`value`)} from json_each(${list})) and +l.project_id <> ${storedId(projectId)})`;
}

const IDS = ["id", "subscriber_id", "template_id", "broadcast_id"] as const;

/**
 * Returns the statements that add entries of an export to the log of a project and to its totals,
 * if `when` holds. Their ids must be distinct. An existing entry stays unchanged. Webhooks are not
 * notified.
 */
export function restoreEntries(
  db: Database,
  projectId: string,
  entries: readonly MovedEntry[],
  when: SQL,
): Statement[] {
  const list = JSON.stringify(
    entries.map((entry) => ({
      ...entry,
      ...Object.fromEntries(
        IDS.map((name) => [name, carryId(typeof entry[name] === "string" ? entry[name] : null)]),
      ),
    })),
  );
  const id = carriedId(sql`value ->> 'id'`);
  const isNew = sql`${when} and not exists (select 1 from log_entries l where l.id = ${id})`;
  return [addTotals(db, projectId, list, isNew), insert(db, projectId, list, when)];
}

function insert(db: Database, projectId: string, list: string, when: SQL): Statement {
  const values = MOVED_COLUMNS.map((name) => {
    const value = sql.raw(`value ->> '${name}'`);
    if (name === "status") return storedStatusSql(value);
    return IDS.some((id) => id === name) ? carriedId(value) : value;
  });
  return db.run(
    sql`insert into log_entries (project_id, ${sql.raw(MOVED_COLUMNS.join())})
      select ${storedId(projectId)}, ${sql.join(values, sql`, `)} from json_each(${list})
      where ${when} on conflict do nothing`,
  );
}

const COUNTERS = [...LOG_STATUSES, "opened", "clicked", "opens"] as const;

/**
 * Counts the new entries as the log does: by outcome, by template, and first opens by their own
 * time.
 */
function addTotals(db: Database, projectId: string, list: string, isNew: SQL): Statement {
  const none = "0 as sent, 0 as failed, 0 as bounced, 0 as suppressed, 0 as opened, 0 as clicked";
  const outcomes = LOG_STATUSES.map((status) => `value ->> 'status' = '${status}' as ${status}`);
  const isTest = uncountedSql(sql`value ->> 'status' = 'sent'`, {
    tags: sql`value ->> 'tags'`,
    test: sql`value ->> 'test'`,
  });
  const fact = (kind: string, subject: string, at: string, counters: string, only: string) =>
    sql`select ${projectId} as project_id, ${sql.raw(`'${kind}' as kind, ${subject} as subject, '' as label,
        value ->> '${at}' as at, ${counters}`)} from json_each(${list})
      where ${isNew} and ${sql.raw(only)} and not ${isTest}`;
  const isSent = "value ->> 'status' = 'sent'";
  const template = "value ->> 'template_id'";
  const dashed = `lower(substr(${template}, 1, 8) || '-' || substr(${template}, 9, 4) || '-' || substr(${template}, 13, 4)
    || '-' || substr(${template}, 17, 4) || '-' || substr(${template}, 21))`;
  const facts = [
    fact(
      "log",
      "''",
      "sent_at",
      `${outcomes.join()}, ${isSent} and value ->> 'opened_at' is not null as opened,
        ${isSent} and value ->> 'clicked_at' is not null as clicked, 0 as opens`,
      "true",
    ),
    fact("log", "''", "opened_at", `${none}, 1 as opens`, "value ->> 'opened_at' is not null"),
    fact(
      "template",
      dashed,
      "sent_at",
      `1 as sent, ${none.replace("0 as sent, ", "")}, 0 as opens`,
      `${isSent} and ${template} is not null`,
    ),
  ];
  return addSelected(db, COUNTERS, sql.join(facts, sql` union all `));
}
