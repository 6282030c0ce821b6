/*
 * Messages that no consumer can handle (API reference §18.5). The test drives the queues: it
 * delivers a message, and moves it to the dead letters when its attempts are used up.
 */
import { env } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { handleBatch } from "../../../src/queues/handle-batch.ts";
import { allRows } from "../../support/rows.ts";
import { createService, unique, type Client, type Service } from "../../support/service.ts";
import { DAY, EVERY_NIGHT, HOUR, iso, MINUTE, standingClock } from "../../support/times.ts";
import { newMails, SENT_AT, totals, trackingEvent } from "../../support/tracking/mails.ts";
import { newPerson, type Person } from "../../support/workspaces.ts";

const START = Date.UTC(2026, 9, 1, 12);
const DEAD = "postrider-dead";
const TRACKING = "postrider-tracking";
/** `max_retries` of the tracking queue; wrangler-config.test.ts holds it to wrangler.toml. */
const RETRIES = 30;
const clock = standingClock(START);

/** The messages that the queues received, and a fault of theirs. */
const sent: { queue: string; body: unknown }[] = [];
let refusal: Error | undefined;
/** A step that delays every send. */
let beforeSend: (() => Promise<unknown>) | undefined;
const queueNamed = (queue: string) =>
  ({
    send: async (body: unknown) => {
      await beforeSend?.();
      if (refusal) throw refusal;
      sent.push({ queue, body });
    },
  }) as unknown as Queue;

const service: Service = createService(
  {
    TRACKING_QUEUE: queueNamed(TRACKING),
    WAKE_QUEUE: queueNamed("postrider-wake"),
    BOUNCE_QUEUE: queueNamed("postrider-bounce"),
    WEBHOOK_QUEUE: queueNamed("postrider-webhook"),
  },
  { now: () => clock.now },
);
let operator: Person;
let other: Client;
beforeAll(async () => {
  operator = await newPerson(service); // the first account of the service
  other = await service.newOwner();
});
beforeEach(() => allRows("delete from dead_letters"));
afterEach(() => {
  sent.length = 0;
  refusal = undefined;
  beforeSend = undefined;
  service.d1.before = undefined;
});

/** Delivers messages as one batch; returns "acked" or the wait in seconds for each. */
async function deliver(queue: string, bodies: unknown[], attempts = 1, ids: string[] = []) {
  const fates: unknown[] = [];
  const messages = bodies.map((body, at) => ({
    id: ids[at] ?? unique("message"),
    attempts,
    body,
    ack: () => (fates[at] ??= "acked"),
    retry: (options?: QueueRetryOptions) => (fates[at] ??= options?.delaySeconds),
  }));
  await handleBatch(await service.deps(), { queue, messages } as unknown as MessageBatch);
  return fates;
}

interface Letter {
  id: string;
  [field: string]: unknown;
}
const list = async (query = "") => {
  const path = `/service/dead-letters${query}`;
  return (await operator.get<{ dead_letters: Letter[] }>(path)).body;
};
const replay = (id: string, by: Client = operator) => by.post(`/service/dead-letters/${id}/replay`);
const counted = async () =>
  (await (await service.fetch("/health")).json<{ dead_letters: number }>()).dead_letters;

/** Puts one message into the store and returns it as listed. */
async function newLetter(body: unknown = { type: "webhook_due", webhookId: unique("hook") }) {
  expect(await deliver(DEAD, [body])).toEqual(["acked"]);
  const [letter] = (await list()).dead_letters;
  if (!letter) throw new Error("nothing was stored");
  return letter;
}

/** Makes the database fail for statements that contain these words. */
function failAt(words: string) {
  service.d1.before = (sql) => {
    if (sql.some((text) => text.includes(words))) throw new Error("no database");
  };
}

const OUTCOME = {
  type: "outcome",
  projectId: "1",
  at: START,
  mail: { logId: "1", subject: "s", tags: null, templateId: null, subscriberId: null },
  outcome: { main: { email: "a@any.test", status: "sent", error: null }, copies: [] },
  operation: null,
};

describe("a message that always fails", () => {
  it("is tried for 22 hours, then stored, listed, counted, replayed and handled", async () => {
    const { projectId, logId } = await newMails(await service.deps(), 1);
    const events = [trackingEvent("open", logId, SENT_AT + MINUTE)];
    failAt("update log_entries");
    const waits: unknown[] = [];
    for (let attempt = 1; attempt <= RETRIES; attempt++)
      waits.push(...(await deliver(TRACKING, [{ type: "tracking", events }], attempt)));
    expect(waits.slice(0, 4)).toEqual([10, 20, 40, 80]);
    const seconds = waits.reduce<number>((sum, wait) => sum + Number(wait), 0);
    expect(Math.floor(seconds / 3_600)).toBe(22);
    expect(await deliver(DEAD, [{ type: "tracking", events }])).toEqual(["acked"]);

    const { dead_letters: letters, ...counts } = await list();
    expect(counts).toEqual({ total: 1, waiting: 1 });
    const [letter] = letters;
    const stored = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      queue: TRACKING,
      type: "tracking",
      bytes: JSON.stringify({ type: "tracking", events }).length,
      preview: expect.stringContaining(logId),
      failed_at: iso(START),
      replayed_at: null,
      expires_at: iso(START + 14 * DAY),
    };
    expect(letter).toEqual(stored);
    expect(await counted()).toBe(1);

    service.d1.before = undefined;
    clock.now += HOUR;
    const replayed = { ...letter, replayed_at: iso(START + HOUR) };
    expect(await replay(String(letter?.id))).toMatchObject({ status: 200, body: replayed });
    expect(sent).toEqual([{ queue: TRACKING, body: { type: "tracking", events } }]);
    expect(await deliver(TRACKING, [sent[0]?.body])).toEqual(["acked"]);
    expect(await totals(await service.deps(), projectId)).toEqual({ opened: 1, clicked: 0 });
    expect(await list()).toEqual({ dead_letters: [replayed], total: 1, waiting: 0 });
    expect(await counted()).toBe(0);
  });

  it.each([
    ["postrider-wake", OUTCOME],
    [TRACKING, { type: "tracking", events: [trackingEvent("open", "1", SENT_AT)] }],
    ["postrider-wake", { type: "wake", projectId: "1" }],
    ["postrider-bounce", { type: "bounce_poll", projectId: "1" }],
    ["postrider-webhook", { type: "webhook_due", webhookId: "1" }],
  ])("returns to its own queue, %s, unchanged: %j", async (queue, body) => {
    const letter = await newLetter(body);
    expect(letter).toMatchObject({ queue, type: body.type });
    expect((await replay(letter.id)).status).toBe(200);
    expect(sent).toEqual([{ queue, body }]);
  });

  it("is stored once, even if it arrives repeatedly", async () => {
    const body = { type: "bounce_poll", projectId: "1" };
    for (let time = 0; time < 2; time++)
      expect(await deliver(DEAD, [body, body], 1, ["a", "b"])).toEqual(["acked", "acked"]);
    expect(await list()).toMatchObject({ total: 2, waiting: 2 });
  });

  it("stays on the queue while it cannot be stored, for as long as the queue keeps it", async () => {
    failAt("dead_letters");
    const body = { type: "bounce_poll", projectId: "1" };
    expect(await deliver(DEAD, [body])).toEqual([60]);
    expect(await deliver(DEAD, [body], 6)).toEqual([1_920]);
    expect(await deliver(DEAD, [body], 100)).toEqual([3_600]);
    service.d1.before = undefined;
    await newLetter(body);
  });

  it("stays on the queue while 5,000 wait, so the database does not fill up", async () => {
    await allRows(
      `insert into dead_letters (id, message_id, queue, type, bytes, failed_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
        select i, i, '', '', 0, 0 from n`,
    );
    const body = { type: "bounce_poll", projectId: "1" };
    expect(await deliver(DEAD, [body, body], 1, ["4000", "new"])).toEqual(["acked", 60]);
    expect(await counted()).toBe(1_000); // the count stops there
    expect(await list()).toMatchObject({ total: 5_000 });
    await allRows("delete from dead_letters where id = '1'");
    expect(await deliver(DEAD, [body], 2, ["new"])).toEqual(["acked"]);
    expect(await deliver(DEAD, [body], 1, ["newer"])).toEqual([60]);
    await allRows("update dead_letters set replayed_at = 1 where id = '2'");
    expect(await deliver(DEAD, [body], 2, ["newer"])).toEqual(["acked"]);
  });
});

const inOrder = (one: string, other: string) => one.localeCompare(other);

describe("a message in a format that this version does not know", () => {
  const LATER = { type: "later", of: [1, "é", null] };

  it("is stored at its first attempt, with its queue, and never tried again", async () => {
    const bodies = [LATER, null, "words", { type: 7 }];
    expect(await deliver(TRACKING, bodies)).toEqual(Array(4).fill("acked"));
    const { dead_letters: letters } = await list();
    const facts = letters.map(({ queue, type, preview }) => [queue, type, preview].join(" "));
    expect(facts.toSorted(inOrder)).toEqual(
      [
        `${TRACKING} later ${JSON.stringify(LATER)}`,
        `${TRACKING}  null`,
        `${TRACKING}  "words"`,
        `${TRACKING}  {"type":7}`,
      ].toSorted(inOrder),
    );
  });

  it("reaches the store through the runtime's own queue", async () => {
    const type = unique("later");
    await env.TRACKING_QUEUE.send({ type });
    const stored = () => allRows("select queue from dead_letters where type = ?", type);
    await expect.poll(stored, { timeout: 20_000 }).toEqual([{ queue: TRACKING }]);
  });

  it("cannot be replayed until a version knows it", async () => {
    const letter = await newLetter(LATER);
    expect(letter).toMatchObject({ queue: "", type: "later" });
    expect(await replay(letter.id)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("does not recognize") },
    });
    expect(sent).toEqual([]);
    expect(await counted()).toBe(1);
  });

  it("loses its body if that is not JSON or larger than a queue allows, and stays listed", async () => {
    const cycle: Record<string, unknown> = { type: "cycle" };
    cycle["self"] = cycle;
    const large = { type: "webhook_due", webhookId: "x".repeat(131_100) };
    expect(await deliver(DEAD, [cycle, large, 10n])).toEqual(["acked", "acked", "acked"]);
    const { dead_letters: letters } = await list();
    expect(letters.map(({ preview }) => preview)).toEqual([null, null, null]);
    const types = letters.map(({ type }) => String(type)).toSorted(inOrder);
    expect(types).toEqual(["", "cycle", "webhook_due"]);
    for (const { id } of letters) expect((await replay(id)).status).toBe(409);
  });

  it("does not delay others: ten of the largest are stored in several writes", async () => {
    const bodies = Array.from({ length: 10 }, () => ({ type: "later", x: "\\".repeat(65_000) }));
    expect(await deliver(DEAD, bodies)).toEqual(Array(10).fill("acked"));
    expect(await list()).toMatchObject({ total: 10 });
  });
});

describe("the dead letters", () => {
  it("are listed newest first, by page", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      clock.now += 1;
      ids.unshift((await newLetter()).id);
    }
    const page = await list("?limit=1&offset=1");
    expect(page).toMatchObject({ total: 3, waiting: 3 });
    expect(page.dead_letters.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await list()).dead_letters.map(({ id }) => id)).toEqual(ids);
    expect((await operator.get("/service/dead-letters?limit=0")).status).toBe(400);
  });

  it("show at most 500 characters of a body", async () => {
    const { preview } = await newLetter({ type: "later", text: "x".repeat(1_000) });
    expect(preview).toHaveLength(500);
  });

  it("are visible only to the owner of the first account", async () => {
    const { id } = await newLetter();
    expect((await other.get("/service/dead-letters")).status).toBe(403);
    expect((await replay(id, other)).status).toBe(403);
    expect((await service.anonymous.get("/service/dead-letters")).status).toBe(401);
    expect((await replay(id, service.anonymous)).status).toBe(401);
    expect(sent).toEqual([]);
    expect((await replay(crypto.randomUUID())).status).toBe(404);
  });
});

describe("a replay", () => {
  const replays = (id: string) =>
    allRows(
      "select scope_id, metadata from audit_entries where action = 'service.dead_letter_replay' and target_id = ?",
      id,
    );

  it("is idempotent: it sends once, and one audit entry records it", async () => {
    const { id } = await newLetter();
    const first = await replay(id);
    clock.now += HOUR;
    expect((await replay(id)).body).toEqual(first.body);
    expect(sent).toHaveLength(1);
    expect(await replays(id)).toEqual([
      {
        scope_id: operator.id,
        metadata: JSON.stringify({ queue: "postrider-webhook", type: "webhook_due" }),
      },
    ]);
  });

  it("sends once when several arrive at the same time", async () => {
    for (let round = 0; round < 8; round++) {
      clock.now += 1;
      const { id } = await newLetter();
      sent.length = 0;
      const answers = await Promise.all(Array.from({ length: 4 }, () => replay(id)));
      expect(sent).toHaveLength(1);
      for (const { status } of answers) expect([200, 409]).toContain(status);
      expect(await replays(id)).toHaveLength(1);
    }
  });

  it("is 409 while another one sends", async () => {
    const { id } = await newLetter();
    let second: number | undefined;
    beforeSend = async () => {
      beforeSend = undefined;
      ({ status: second } = await replay(id));
    };
    expect((await replay(id)).status).toBe(200);
    expect([second, sent.length]).toEqual([409, 1]);
  });

  it("is 503 if the queue rejects the message, and can be tried again immediately", async () => {
    const { id } = await newLetter();
    refusal = new Error("no queue");
    expect((await replay(id)).status).toBe(503);
    expect(await list()).toMatchObject({ waiting: 1 });
    refusal = undefined;
    expect((await replay(id)).status).toBe(200);
    expect(sent).toHaveLength(1);
  });

  it("can be tried again after a minute if its worker crashes before it is recorded", async () => {
    const { id } = await newLetter();
    failAt("set replayed_at");
    expect((await replay(id)).status).toBe(500);
    service.d1.before = undefined;
    expect((await replay(id)).status).toBe(409);
    clock.now += MINUTE;
    expect((await replay(id)).status).toBe(200);
    expect(await list()).toMatchObject({ waiting: 0 });
  });
});

// It ends every session, so it comes last.
describe("the nightly job", () => {
  it("removes dead letters after 14 days, replayed or not", async () => {
    const stored = async () => (await allRows("select id from dead_letters")).map(({ id }) => id);
    const old = await newLetter();
    await replay(old.id);
    await newLetter();
    clock.now += 1;
    const young = await newLetter();
    clock.now = START + 14 * DAY;
    await runScheduled(await service.deps(), EVERY_NIGHT);
    expect(await stored()).toHaveLength(3);
    clock.now += 1;
    await runScheduled(await service.deps(), EVERY_NIGHT);
    expect(await stored()).toEqual([young.id]);
  });
});
