import type { D1Database } from "@cloudflare/workers-types";
import { createOwner } from "../harness/account.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { COUNTED, countOf } from "../harness/counts.ts";
import type { Goal, PartResult, Sizes } from "../harness/report.ts";
import { startService } from "../harness/runtime.ts";

/** Subscribers in the segment. */
const FEW = 1_000;
const STEP = 50_000;

/** Rows read besides those of the segment: its sample, and the access check. */
const BESIDES = 100;

/**
 * Selective conditions. `rowsOfOne` is the number of rows per match if an index serves the
 * condition: its entry and the subscriber, and one more for entries that have no common order.
 */
const CONDITIONS: Record<string, { where: string; rowsOfOne?: number }> = {
  "a tag": { where: "tag:few", rowsOfOne: 2 },
  "a tag, and more": { where: "status:active and tag:few and not opened:1d", rowsOfOne: 2 },
  "a topic": { where: "topic:few", rowsOfOne: 3 },
  "a status": { where: "status:unsubscribed", rowsOfOne: 2 },
  "a source": { where: "source:few", rowsOfOne: 3 },
  opened: { where: "opened:90d" },
  clicked: { where: "clicked:90d" },
  metadata: { where: "country:DE" },
};

/** Measures the rows that D1 reads for previews of segments of 1,000 in a large project. */
export function measureSegments({ audience }: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const service = await started(startService({}, COUNTED), atEnd);
    const owner = await createOwner(service);
    const { id } = await owner.newProject(9);
    const path = `/projects/${id}`;
    const topic = await owner.api<{ id: string }>("POST", `${path}/topics`, {
      name: "few",
      description: "",
    });
    await fill(await service.database(), id, topic.id, audience);
    const rows: [string, string, number, number][] = [];
    const goals: Goal[] = [];
    for (const [name, { where, rowsOfOne }] of Object.entries(CONDITIONS)) {
      let found = 0;
      const { d1RowsRead } = await countOf(service, async () => {
        const preview = await owner.api<{ count: number }>("POST", `${path}/segments/preview`, {
          where,
        });
        found = preview.count;
      });
      rows.push([name, where, found, d1RowsRead]);
      if (rowsOfOne !== undefined)
        goals.push({
          what: `rows read for a segment of ${FEW} by ${name}`,
          measured: d1RowsRead,
          kind: "at_most",
          limit: rowsOfOne * FEW + BESIDES,
        });
    }
    return {
      title: `Previews of segments, of ${audience} subscribers`,
      columns: ["by", "condition", "subscribers", "rows read"],
      rows,
      goals,
    };
  });
}

/**
 * Fills a project with subscribers; each attribute applies to the same fraction of them, spread
 * over the list.
 */
async function fill(database: D1Database, projectId: string, topicId: string, audience: number) {
  const one = (feature: number) => `(i % ${audience / FEW} = ${feature})`;
  const id = "printf('01a00000-0000-7000-8000-%012x', i)";
  for (let from = 0; from < audience; from += STEP) {
    const numbers = `with recursive n(i) as (select ?2 union all select i + 1 from n where i + 1 < ?3)`;
    const to = Math.min(from + STEP, audience);
    const statements = [
      `insert into subscribers (id, project_id, email, name, status, metadata, source, tags,
         last_opened_at, last_clicked_at, subscribed_at, created_at, updated_at)
       ${numbers} select ${id}, ?1, i || '@any.test', '', iif(${one(1)}, 'unsubscribed', 'active'),
         iif(${one(2)}, '{"country":"DE"}', '{"country":"FR"}'), iif(${one(3)}, 'few', 'many'),
         iif(${one(0)}, '["few","many"]', '["many"]'), iif(${one(4)}, unixepoch() * 1000, null),
         iif(${one(5)}, unixepoch() * 1000, null), 1, 1, 1 from n`,
      `insert into subscriber_tags ${numbers} select ?1, 'many', ${id} from n`,
      `insert into subscriber_tags ${numbers} select ?1, 'few', ${id} from n where ${one(0)}`,
    ];
    await database.batch(
      statements.map((statement) => database.prepare(statement).bind(projectId, from, to)),
    );
    await database
      .prepare(
        `insert into topic_consents (topic_id, subscriber_id, state, since, by)
         ${numbers} select ?1, ${id}, 'subscribed', 1, 'member' from n where ${one(0)}`,
      )
      .bind(topicId, from, to)
      .run();
  }
}
