import type { MailSlot } from "../lib/rates/mail-counter.ts";
import type { RateFacts, RateStore, WarmUpDay } from "../lib/rates/rate-store.ts";
import { FORGOTTEN_MS } from "../lib/rates/warm-up.ts";

/** The number of minutes of mails that are kept: a day, and the minute that has begun. */
const SLOTS_KEPT = 24 * 60 + 1;

/**
 * Keeps what the rates of a project need in the storage of a Durable Object. Each change writes one row: a minute of mails,
 * or the limits with those that the server taught.
 */
export function rateStore(sql: SqlStorage): RateStore {
  for (const table of [
    "sent_mails (slot integer primary key, last_ms integer not null, mails integer not null)",
    "paced_mails (broadcast_id text not null, slot integer not null, last_ms integer not null, mails integer not null, primary key (broadcast_id, slot)) without rowid",
    "warm_up_days (broadcast_id text primary key, day integer not null, began_ms integer not null) without rowid",
    "permit_facts (id integer primary key, facts text not null)",
  ])
    sql.exec(`create table if not exists ${table}`);
  let newestSlot = -Infinity;
  let newestPaced = -Infinity;
  return {
    facts: () => {
      const [row] = sql.exec<{ facts: string }>("select facts from permit_facts");
      return row && (JSON.parse(row.facts) as RateFacts); // `saveFacts` wrote it
    },
    saveFacts: (facts) => {
      sql.exec(
        "insert into permit_facts (id, facts) values (1, ?) on conflict do update set facts = excluded.facts",
        JSON.stringify(facts),
      );
    },
    slots: (afterMs) =>
      sql
        .exec<Record<keyof MailSlot, number>>(
          'select slot, last_ms as "lastMs", mails from sent_mails where last_ms > ? order by slot',
          afterMs,
        )
        .toArray(),
    saveSlot: ({ slot, lastMs, mails }) => {
      sql.exec(
        `insert into sent_mails (slot, last_ms, mails) values (?, ?, ?)
         on conflict do update set last_ms = excluded.last_ms, mails = excluded.mails`,
        slot,
        lastMs,
        mails,
      );
      if (slot <= newestSlot) return;
      newestSlot = slot;
      sql.exec("delete from sent_mails where slot < ?", slot - SLOTS_KEPT);
    },
    paceSlots: (broadcastId, afterMs) =>
      sql
        .exec<Record<keyof MailSlot, number>>(
          'select slot, last_ms as "lastMs", mails from paced_mails where broadcast_id = ? and last_ms > ? order by slot',
          broadcastId,
          afterMs,
        )
        .toArray(),
    savePaceSlot: (broadcastId, { slot, lastMs, mails }) => {
      sql.exec(
        `insert into paced_mails (broadcast_id, slot, last_ms, mails) values (?, ?, ?, ?)
         on conflict do update set last_ms = excluded.last_ms, mails = excluded.mails`,
        broadcastId,
        slot,
        lastMs,
        mails,
      );
      if (slot <= newestPaced) return;
      newestPaced = slot;
      sql.exec("delete from paced_mails where slot < ?", slot - SLOTS_KEPT);
    },
    warmUpDay: (broadcastId) => {
      const [row] = sql.exec<Record<keyof WarmUpDay, number>>(
        'select day, began_ms as "beganMs" from warm_up_days where broadcast_id = ?',
        broadcastId,
      );
      return row;
    },
    saveWarmUpDay: (broadcastId, { day, beganMs }) => {
      sql.exec("delete from warm_up_days where began_ms <= ?", beganMs - FORGOTTEN_MS);
      sql.exec(
        `insert into warm_up_days (broadcast_id, day, began_ms) values (?, ?, ?)
         on conflict do update set day = excluded.day, began_ms = excluded.began_ms`,
        broadcastId,
        day,
        beganMs,
      );
    },
  };
}
