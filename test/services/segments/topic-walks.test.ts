/* Broadcasts to a part of an audience: what their planning reads, and whom it finds. */
import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { readAhead } from "../../../src/services/broadcasts/claim-queries.ts";
import {
  insertChunks,
  membersWithCanary,
  stretch,
} from "../../../src/services/broadcasts/plan-queries.ts";
import { membersByZone } from "../../../src/services/broadcasts/time-zones/plan-zones.ts";
import { createService } from "../../support/service.ts";
import { EMPTY_PLAN, storeBroadcast, WHOLE_CHUNK } from "../../support/stored-broadcasts.ts";

const service = createService();
const COUNT = 3_000;
/** The subscribers who consent to the topic `Few`. */
const CONSENTS = 100;
const FEW = "01900000-0000-7000-8000-700000000002";
const UUID = "printf('01900000-0000-7000-8000-5ea%09x', i)";
const idAt = (i: number) => `01900000-0000-7000-8000-5ea${i.toString(16).padStart(9, "0")}`;
const NUMBERS = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COUNT})`;

let projectId: string;

beforeAll(async () => {
  const client = await service.newOwner();
  projectId = (await client.newProject()).id;
  // The topics Pair and PAIR have sixty subscribers, three of whom consent to both.
  for (const statement of [
    `insert into subscribers (id, project_id, email, name, status, metadata, source, tags, subscribed_at, created_at, updated_at)
      ${NUMBERS} select ${UUID}, ?1, i || '@any.test', 'x', 'active', json_object('n', i), '', '[]', 1, 1, 1 from n`,
    `insert into topics (id, project_id, name, description, created_at, updated_at)
      values ('${FEW}', ?1, 'Few', '', 1, 1), ('a' || ?1, ?1, 'Pair', '', 1, 1), ('b' || ?1, ?1, 'PAIR', '', 1, 1)`,
    `insert into topic_consents (topic_id, subscriber_id, state, since, by)
      ${NUMBERS} select '${FEW}', ${UUID}, 'subscribed', ?1 is null, 'member' from n where i % ${COUNT / CONSENTS} = 0`,
    `insert into topic_consents (topic_id, subscriber_id, state, since, by)
      ${NUMBERS} select iif(i % 2, 'a', 'b') || ?1, ${UUID}, 'subscribed', 1, 'member' from n where i <= 60
      union all select 'b' || ?1, ${UUID}, 'subscribed', 1, 'member' from n where i in (1, 3, 5)`,
  ])
    await env.DB.prepare(statement).bind(projectId).run();
}, 60_000);

/** Makes a broadcast of which nothing is planned. */
const newBroadcast = (where: string) =>
  storeBroadcast(service, {
    project_id: projectId,
    planned_id: "",
    cutoff_id: idAt(COUNT),
    audience_where: where,
  });

describe("a broadcast to a condition with a topic", () => {
  it.each(["topic:few", `n>0 and topic:${FEW}`, "status:active and topic:FEW"])(
    "reads two rows for each recipient that it plans, and four for each that it claims: %s",
    async (where) => {
      const { db } = await service.deps();
      const broadcast = await newBroadcast(where);
      for (const limit of [500, 20]) {
        service.d1.reset();
        const planned = await db.all(sql`${stretch(broadcast)} limit ${limit}`);
        expect(planned).toHaveLength(Math.min(limit, CONSENTS));
        expect(service.d1.rowsRead).toBeLessThanOrEqual(2 * planned.length + 30);
      }
      service.d1.reset();
      const page = { kind: "range", after: idAt(300), to: idAt(COUNT), size: 10 } as const;
      const recipients = await readAhead(db, broadcast, page, WHOLE_CHUNK);
      const claimed = recipients.map(({ id }) => id);
      expect(claimed).toEqual(Array.from({ length: 10 }, (_, n) => idAt(330 + 30 * n)));
      expect(service.d1.rowsRead).toBeLessThanOrEqual(4 * claimed.length + 30);
    },
  );

  it("plans each recipient once, in order, if the names of topics differ only in case", async () => {
    const { db } = await service.deps();
    const broadcast = await newBroadcast("topic:pair and not n:2");
    const planned = await db.all<{ id: string }>(sql`${stretch(broadcast)} limit 50`);
    const numbers = Array.from({ length: 60 }, (_, n) => n + 1).filter((n) => n !== 2);
    expect(planned.map(({ id }) => id)).toEqual(numbers.slice(0, 50).map(idAt));
  });

  it.each([
    [6, "not_opened"],
    [7, "joined"],
    [20, "not_opened"],
    [6, "joined"],
    [20, "joined"],
  ] as const)(
    "is planned with as many comparisons as a condition has: %i of a draft to %s",
    async (terms, to) => {
      const { db } = await service.deps();
      const plan = {
        ...EMPTY_PLAN,
        resend: { to, of: crypto.randomUUID() },
      } as const;
      const where = `topic:few${" and n>=0".repeat(terms - 1)}`;
      const followed = { fromId: idAt(COUNT), topicId: terms === 20 ? FEW : null };
      const broadcast = { ...(await newBroadcast(where)), winner: 0, plan, ...followed };
      const step = { size: 200, listSize: 50, now: 1 };
      const times = { own: 1, others: { "Europe/Berlin": 2 } };
      const byZone = membersByZone(broadcast, times, step);
      expect(await insertChunks(db, broadcast, byZone, step)).toEqual([]);
      const all = { ...(await newBroadcast(where)) };
      const whole = membersWithCanary(all, step, 0.5);
      expect(await insertChunks(db, all, whole, step)).toHaveLength(1);
    },
  );
});

describe("a broadcast to those who joined since another one", () => {
  it("reads the log of the other one once, and only if a subscriber joined late", async () => {
    const { db } = await service.deps();
    const run = (statement: string) => env.DB.prepare(statement).bind(projectId).run();
    const first = await newBroadcast("n>=0");
    await run(
      `insert into log_entries (id, project_id, subscriber_id, broadcast_id, to_email, status, sent_at)
        ${NUMBERS} select unhex(${UUID}, '-'), unhex(?1, '-'), unhex(${UUID}, '-'), unhex('${first.id}', '-'), 'x', 0, i
        from n where i <= 2`,
    );
    await run(
      `insert into log_entries (id, project_id, to_email, status, sent_at)
        ${NUMBERS} select randomblob(16), unhex(?1, '-'), 'y', 0, i from n`,
    );
    const plan = { ...EMPTY_PLAN, resend: { to: "joined", of: first.id } } as const;
    const broadcast = { ...(await newBroadcast("n>=0")), plan, fromId: idAt(COUNT - 5) };
    const read = async () => {
      service.d1.reset();
      const found = await db.all<{ id: string }>(sql`${stretch(broadcast)} limit 100`);
      return { found: found.map(({ id }) => id), rows: service.d1.rowsRead };
    };
    const newest = [4, 3, 2, 1, 0].map((n) => idAt(COUNT - n));
    const before = await read();
    expect(before.found).toEqual(newest);
    await run(
      `insert into consent_events (project_id, subscriber_id, id, action, by, at, ip_address, user_agent, form_text)
        ${NUMBERS} select ?1, ${UUID}, ${UUID}, 'confirmed', 'page', 2, '', '', '' from n where i <= 4`,
    );
    const after = await read();
    expect(after.found).toEqual([idAt(3), idAt(4), ...newest]);
    expect(after.rows - before.rows).toBeGreaterThan(COUNT);
    expect(after.rows - before.rows).toBeLessThan(COUNT + 50);
  });
});
