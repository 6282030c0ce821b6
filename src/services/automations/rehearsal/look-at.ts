import { sql, type SQL } from "drizzle-orm";
import { runBatch, type Database } from "../../../db/client.ts";
import { compileWhere, sizeOf } from "../../segments/index.ts";
import { isSuppressed } from "../../suppressions/index.ts";
import { parsedOf } from "../read-facts.ts";
import type { Page } from "./candidates.ts";
import type { Candidate } from "./walk-person.ts";

/** Comparisons in one statement; each takes up to four of D1's 100 parameters. */
const TERMS_MAX = 23;

/**
 * Divides conditions into groups of which each fits into a statement, without those that do not
 * parse: nobody meets them.
 */
export function groupsOf(conditions: Iterable<string>): string[][] {
  const groups: string[][] = [[]];
  let terms = 0;
  for (const where of conditions) {
    const condition = parsedOf(where);
    if (!condition) continue;
    const own = sizeOf(condition).terms;
    if (terms + own > TERMS_MAX) {
      groups.push([]);
      terms = 0;
    }
    groups.at(-1)?.push(where);
    terms += own;
  }
  return groups;
}

/** What there is to know about candidates. */
interface Question {
  projectId: string;
  now: number;
  groups: string[][];
  /** The event of the trigger; null for other triggers. */
  event: string | null;
  /** Ids of topics to whose consent the mails of the automation are subject. */
  topics: string[];
}

interface Row {
  id: string;
  at: number;
  status: Candidate["status"];
  suppressed: number;
  zone: unknown;
  topics: string;
  /** JSON: 1 for each condition of the group that the person meets, else 0. */
  met: string;
}

const STATEMENTS_AT_ONCE = 20;

/** Reads the facts of today about pages of people, twenty statements in a round trip. */
export async function lookAt(
  db: Database,
  pages: readonly Page[],
  question: Question,
): Promise<Candidate[]> {
  const asked = pages.flatMap((page) => question.groups.map((group) => ({ page, group })));
  const found = new Map<string, Candidate & { met: Set<string> }>();
  for (let first = 0; first < asked.length; first += STATEMENTS_AT_ONCE) {
    const some = asked.slice(first, first + STATEMENTS_AT_ONCE);
    const results = await runBatch(
      db,
      some.map(({ page, group }) => db.all<Row>(factsOf(page, group, question))),
    );
    for (const [n, rows] of results.entries()) {
      const group = some[n]?.group ?? [];
      for (const row of rows) {
        const met = found.get(row.id)?.met ?? new Set();
        const bits = JSON.parse(row.met) as number[];
        for (const [index, where] of group.entries()) if (bits[index] === 1) met.add(where);
        found.set(row.id, { ...candidateOf(row), met });
      }
    }
  }
  return [...found.values()];
}

const candidateOf = ({ id, at, status, suppressed, zone, topics }: Row) => ({
  id,
  at,
  status,
  isSuppressed: suppressed === 1,
  zone: typeof zone === "string" ? zone : null,
  topics: JSON.parse(topics) as string[],
});

function factsOf({ people }: Page, group: string[], question: Question): SQL {
  const { projectId, now, topics, event } = question;
  const [first = "", last = ""] = [people[0]?.[0], people.at(-1)?.[0]];
  const data = sql`subscribers.event_data`;
  const met = group.map((where) => compileWhere(projectId, where, now, { first, last }, data));
  return sql`select subscribers.id, subscribers.at, subscribers.status,
      ${isSuppressed(projectId, sql`subscribers.email`)} as suppressed,
      subscribers.metadata ->> '$.timezone' as zone,
      (select json_group_array(topic_id) from topic_consents where state = 'subscribed'
        and subscriber_id = subscribers.id
        and topic_id in (select value from json_each(${JSON.stringify(topics)}))) as topics,
      json_array(${sql.join(met, sql`, `)}) as met
    from (select s.*, who.value ->> 1 as at, ${newestEvent(projectId, event, sql`s.id`)} as event_data
      from json_each(${JSON.stringify(people)}) who
      cross join subscribers s on s.id = who.value ->> 0) subscribers`;
}

/** Returns SQL for the data of a person's newest event of a name; null for none. */
export const newestEvent = (projectId: string, event: string | null, id: SQL): SQL =>
  event === null
    ? sql`null`
    : sql`(select data from events where project_id = ${projectId} and subscriber_id = ${id}
        and name = ${event} order by occurred_at desc limit 1)`;
