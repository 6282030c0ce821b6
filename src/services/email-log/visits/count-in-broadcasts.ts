import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { idText, storedIdSql } from "../stored-form.ts";
import { classAt, visitsOf } from "./visit-groups.ts";

/*
 * Counts visits of broadcast mails per broadcast: each mail counts once, and once per link. A first
 * open and a first click write one row each, which the mails of a batch share.
 */

/**
 * The maximum number of links of a broadcast with their own rows. The others share one row without
 * a URL.
 */
const LINKS_MAX = 100;

/** The number of clicks per mail that count: the first ones, in the order of their ids. */
const CLICKS_MAX = 100;

const MAX = sql.raw(String(CLICKS_MAX));

/** Returns the counted clicks of a mail, as `k`. */
const clicksOfMail = (logId: SQL): SQL => sql`(
  select id, url, class from email_clicks where log_id = ${logId} order by id limit ${MAX}) k`;

/** Counts mails that get their first open. It must run before they are updated. */
export function countOpens(db: Database, visits: string) {
  return db.run(
    sql`insert into broadcast_counts (project_id, broadcast_id, opened, opened_human)
      with ${visitsOf(visits)}
      select ${idText(sql`l.project_id`)}, ${idText(sql`l.broadcast_id`)}, count(*),
        sum(${classAt(sql`visit.class`, sql`visit.open_at`)} = 'human')
      from visits visit cross join log_entries l on l.id = visit.entry_id
      where l.opened_at is null and visit.open_at is not null and l.broadcast_id is not null
      group by l.project_id, l.broadcast_id
      on conflict do update set opened = opened + excluded.opened,
        opened_human = opened_human + excluded.opened_human`,
  );
}

/**
 * Counts mails and links that get their first click, or first click of a person, among the new
 * clicks. It must run before the clicks are inserted.
 */
export function countClicks(db: Database, known: SQL, isNew: SQL) {
  const earlier = (where: SQL) =>
    sql`exists (select 1 from ${clicksOfMail(sql`link.log_id`)} where ${where})`;
  const ofLink = sql`k.url in (link.url, '')`; // an erasure cleared the URL, which may be this one
  const ofMail = sql`partition by log_id`;
  const isCounted = (place: SQL, id: SQL) => sql`${place} + (select count(*) from (
    select 1 from email_clicks where log_id = link.log_id and email_clicks.id < ${id} limit ${MAX})) <= ${MAX}`;
  return db.run(
    sql`insert into broadcast_links (project_id, broadcast_id, url, firsts, firsts_human, clicked, clicked_human)
      with ${known}, fresh as materialized (
        select ${idText(sql`l.project_id`)} as project_id, ${idText(sql`l.broadcast_id`)} as broadcast_id,
          click.log_id, click.url, click.id, ${classAt(sql`click.class`, sql`click.at`)} = 'human' as human,
          row_number() over (partition by click.log_id order by click.id) as place
        from clicks click cross join log_entries l on l.id = click.entry_id
        where l.broadcast_id is not null and ${isNew}
      ), firsts as materialized (
        select project_id, broadcast_id, log_id, url, min(id) as id, min(place) as place,
          min(iif(human, id, null)) as human_id, min(iif(human, place, null)) as human_place
        from fresh group by log_id, url
      ), link as materialized (
        select project_id, broadcast_id, log_id, url, id,
          iif(human_id = id or ${isCounted(sql`human_place`, sql`human_id`)}, human_id, null) as human_id
        from firsts link where ${isCounted(sql`place`, sql`link.id`)}
      ), news as materialized (
        select project_id, broadcast_id, url,
          not ${earlier(ofLink)} as clicked,
          human_id is not null and not ${earlier(sql`${ofLink} and k.class = 'human'`)} as clicked_human,
          id = min(id) over (${ofMail}) and not ${earlier(sql`true`)} as first,
          human_id is min(human_id) over (${ofMail}) and human_id is not null
            and not ${earlier(sql`k.class = 'human'`)} as first_human
        from link
      ), sums as materialized (
        select project_id, broadcast_id, url, sum(first) as firsts, sum(first_human) as firsts_human,
          sum(clicked) as clicked, sum(clicked_human) as clicked_human
        from news where clicked or clicked_human group by project_id, broadcast_id, url
      ), sizes as materialized (
        select project_id, broadcast_id, (select count(*) from broadcast_links known
            where known.project_id = sums.project_id and known.broadcast_id = sums.broadcast_id and known.url > '') as size
        from sums group by project_id, broadcast_id
      ), placed as materialized (
        select sums.*, known.url is not null as is_known, sizes.size + row_number() over (
            partition by sums.project_id, sums.broadcast_id, known.url is null order by sums.clicked desc) as place
        from sums join sizes using (project_id, broadcast_id) left join broadcast_links known
          on known.project_id = sums.project_id and known.broadcast_id = sums.broadcast_id and known.url = sums.url
      )
      select project_id, broadcast_id, iif(is_known or place <= ${sql.raw(String(LINKS_MAX))}, url, '') as kept,
        sum(firsts), sum(firsts_human), sum(clicked), sum(clicked_human)
      from placed where true group by project_id, broadcast_id, kept
      on conflict do update set firsts = firsts + excluded.firsts,
        firsts_human = firsts_human + excluded.firsts_human, clicked = clicked + excluded.clicked,
        clicked_human = clicked_human + excluded.clicked_human`,
  );
}

/**
 * Subtracts clicks of a person that a burst reclassifies as a scanner's, unless the mail has
 * another click of a person. Uncounted clicks subtract nothing. `bursts` is the CTE `hurried` of
 * clicks about to be reclassified. It must run before that.
 */
export function uncountBursts(db: Database, bursts: SQL) {
  const isLeft = (where: SQL) => sql`exists (select 1 from ${clicksOfMail(sql`h.log_id`)}
    where k.class = 'human' and ${where} and k.id not in (select id from hurried where log_id = h.log_id))`;
  return db.run(
    sql`with ${bursts}, firsts as materialized (
        select log_id, url, min(id) as id from hurried where class = 'human' group by log_id, url
      ), link as materialized (
        select h.log_id, h.url, not ${isLeft(sql`k.url = h.url`)} as gone,
          h.id = min(h.id) over (partition by h.log_id) and not ${isLeft(sql`true`)} as mail_gone
        from firsts h where exists (select 1 from ${clicksOfMail(sql`h.log_id`)} where k.id = h.id)
      ), lost as materialized (
        select ${idText(sql`l.project_id`)} as project_id, ${idText(sql`l.broadcast_id`)} as broadcast_id, link.url,
          sum(link.gone) as links, sum(link.mail_gone) as mails
        from link cross join log_entries l on l.id = ${storedIdSql(sql`link.log_id`)}
        where l.broadcast_id is not null group by l.project_id, l.broadcast_id, link.url
      ), placed as materialized (
        select lost.project_id, lost.broadcast_id, coalesce(known.url, '') as kept, sum(links) as links, sum(mails) as mails
        from lost left join broadcast_links known on known.project_id = lost.project_id
          and known.broadcast_id = lost.broadcast_id and known.url = lost.url
        group by lost.project_id, lost.broadcast_id, kept
      )
      update broadcast_links set clicked_human = clicked_human - placed.links,
        firsts_human = firsts_human - placed.mails
      from placed where broadcast_links.project_id = placed.project_id
        and broadcast_links.broadcast_id = placed.broadcast_id and broadcast_links.url = placed.kept
        and (placed.links > 0 or placed.mails > 0)`,
  );
}
