/* Batches as work of the broadcast engine: stored recipients, chunks, crashes, asynchronous answers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { runBatch } from "../../../src/db/client.ts";
import { systemContext } from "../../../src/context.ts";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { selectLogKeys } from "../../../src/services/email-log/index.ts";
import {
  chooseChunk,
  planBroadcast,
  wakeWaitingChunk,
} from "../../../src/services/broadcasts/index.ts";
import {
  beginBatch,
  factsOf,
  sendBatch,
  sendChunks,
  sendReads,
} from "../../../src/services/mailing/index.ts";
import {
  packChunks,
  unpackRecipients,
} from "../../../src/services/mailing/sources/batch/pack-recipients.ts";
import { TURN_LIMITS } from "../../../src/services/mailing/sources/broadcast/attempts.ts";
import { selectProject } from "../../../src/services/projects/index.ts";
import {
  ASYNC,
  hasNobodyTwice,
  isSettle,
  stalledApp,
  type Scenario,
  type Stall,
} from "../../support/broadcasting.ts";
import {
  batchScenario,
  recipientsOf,
  takeMessage,
  type BatchAnswer,
  type BatchScenario,
} from "../../support/batching.ts";
import { allRows } from "../../support/rows.ts";
import { unique } from "../../support/service.ts";
import { DAY, EVERY_MINUTE, EVERY_NIGHT } from "../../support/times.ts";
import { deathOfWorker } from "../../support/refusals.ts";

const LEASE_MS = 20_000;
const UNKNOWN_MAX = 16;

const died = async () => {
  throw deathOfWorker("the worker died here");
};

/** Expects each recipient once in the log and mailed at most once; returns the unknown outcomes. */
async function expectNobodyLost({ news }: BatchScenario, total: number) {
  const logs = await news.logs();
  expect(logs).toHaveLength(total);
  expect(hasNobodyTwice(logs.map(({ to_email: email }) => email))).toBe(true);
  const received = await news.received();
  expect(hasNobodyTwice(received)).toBe(true);
  const sent = logs.filter(({ status }) => status === "sent").map(({ to_email: email }) => email);
  expect(sent.filter((email) => !received.includes(email))).toEqual([]);
  const unknown = logs.filter(({ error }) => error === "outcome unknown").length;
  expect(unknown).toBeLessThanOrEqual(UNKNOWN_MAX);
  return unknown;
}

describe("a batch that nobody waits for", () => {
  it("is answered 202 with its id, is sent by the queue, and shows its counts and failures", async () => {
    const all = await batchScenario();
    const { news } = all;
    const list = [
      ...recipientsOf(news, 60),
      ...recipientsOf(news, 3, "rcpt.550.5.1.1.b"),
      ...recipientsOf(news, 4, "rcpt.550.5.7.1.b"),
    ];
    const started = await all.post(list, ASYNC);
    expect(started).toMatchObject({ status: 202, body: { batch_id: expect.any(String) } });
    expect(started.headers.get("Preference-Applied")).toBe("respond-async");
    const id = String(started.body["batch_id"]);
    const none = { sent: 0, failed: 0, bounced: 0, suppressed: 0, failures: [] };
    expect(await all.batch(id)).toMatchObject({ id, state: "sending", recipients: 67, ...none });
    expect(await news.received()).toEqual([]);
    await all.work();
    const done = await all.batch(id);
    expect(done).toMatchObject({ state: "done", sent: 60, failed: 7, bounced: 3, suppressed: 0 });
    expect(done.failures).toHaveLength(7);
    expect(await expectNobodyLost(all, 67)).toBe(0);
    const pages = [
      await all.batch(id, "?limit=4"),
      await all.batch(id, "?limit=4&offset=4"),
      await all.batch(id, "?limit=4&offset=8"),
    ];
    expect(pages.map(({ failures }) => failures.length)).toEqual([4, 3, 0]);
    expect(pages.flatMap(({ failures }) => failures)).toEqual(done.failures);
  });

  it("stores its recipients packed, and nothing of them once it is done", async () => {
    const all = await batchScenario();
    const id = await all.start(recipientsOf(all.news, 1_100));
    const chunks = await allRows<{ after_id: string; until_id: string; recipients: string }>(
      "select after_id, until_id, recipients from broadcast_chunks where broadcast_id = ? order by after_id",
      id,
    );
    expect(chunks.map(({ after_id, until_id }) => [after_id, until_id])).toEqual([
      ["", "#0999"],
      ["#0999", "#1099"],
    ]);
    for (const { recipients } of chunks) expect(recipients.length).toBeLessThan(30_000);
    await all.work();
    expect(await all.batch(id)).toMatchObject({ state: "done", sent: 1_100, failed: 0 });
    expect(await allRows("select 1 from broadcast_chunks where broadcast_id = ?", id)).toEqual([]);
    expect(await allRows("select html_body, text_body from broadcasts where id = ?", id)).toEqual([
      { html_body: "", text_body: "" },
    ]);
    expect(await expectNobodyLost(all, 1_100)).toBe(0);
  });

  it("has the content that the template had when it began", async () => {
    const all = await batchScenario();
    const { news, owner } = all;
    await all.start(recipientsOf(news, 3));
    await owner.put(`${news.path}/templates/${news.templateId}`, { subject: "Changed" });
    await all.work();
    const { body } = await owner.get<{ logs: { subject: string }[] }>(`${news.path}/logs`);
    expect(body.logs.map(({ subject }) => subject).toSorted()).toEqual([
      "For n0",
      "For n1",
      "For n2",
    ]);
  });

  it("is no broadcast: it is in no list of them, and nobody can pause or cancel it as one", async () => {
    const all = await batchScenario();
    const { news, owner } = all;
    const id = await all.start(recipientsOf(news, 3));
    const path = `${news.path}/broadcasts`;
    expect((await owner.get(path)).body).toEqual({ broadcasts: [], total: 0 });
    expect((await owner.get(`${path}/${id}`)).status).toBe(404);
    for (const action of ["pause", "resume", "cancel"])
      expect((await owner.post(`${path}/${id}/${action}`)).status).toBe(404);
    expect(await all.batch(id)).toMatchObject({ state: "sending" });
    await all.work();
    expect(await all.batch(id)).toMatchObject({ state: "done", sent: 3 });
  });

  it("is 404 in another project, and so is a broadcast", async () => {
    const all = await batchScenario();
    const id = await all.start(recipientsOf(all.news, 1));
    const other = await all.owner.newProject();
    expect((await all.owner.get(`/projects/${other.id}/batches/${id}`)).status).toBe(404);
    const { body } = await all.news.start(ASYNC);
    const broadcast = String(body["broadcast_id"]);
    expect((await all.owner.get(`${all.news.path}/batches/${broadcast}`)).status).toBe(404);
  });

  it("hides no broadcast from those who look for its mails, however many batches follow", async () => {
    const all = await batchScenario();
    const { news, owner, deps, service } = all;
    await news.subscribe(1);
    const { body } = await news.start(ASYNC);
    await planBroadcast(deps, String(body["broadcast_id"]));
    await all.work();
    await allRows(
      `with recursive n(i) as (select 10 union all select i + 1 from n where i < 60)
        insert into broadcasts (id, project_id, kind, subject, html_body, text_body, status, state, log_key,
          cutoff_id, planned_id, plan_due_at, created_at)
        select 'ffff' || i || ?1, ?1, 'batch', '', '', '', 'active', 'done', 'k', '', '', 0, 1 from n`,
      news.id,
    );
    const [subscriber] = await allRows("select id from subscribers where project_id = ?", news.id);
    const shown = await owner.get(`${news.path}/subscribers/${String(subscriber?.["id"])}`);
    expect(shown.body["recent_mails"]).toHaveLength(1);
    expect(await selectLogKeys(deps.db, news.id, 20)).toHaveLength(1);
    let sent = "";
    service.d1.before = ([sql = ""]) => void (sent = sql);
    await wakeWaitingChunk(deps, news.id);
    service.d1.before = undefined;
    const plan = await allRows(`explain query plan ${sent}`, news.id, 0);
    expect(JSON.stringify(plan)).toContain("broadcasts_by_state");
  });

  it("takes turns with the broadcasts of other projects", async () => {
    const all = await batchScenario();
    await allRows("delete from broadcast_chunks");
    await allRows("update broadcasts set state = 'done'");
    const id = await all.start(recipientsOf(all.news, 2));
    const other = await batchScenario();
    const second = await other.start(recipientsOf(other.news, 2));
    const first = await chooseChunk(all.deps);
    if (!first) throw new Error("no chunk was chosen");
    expect([id, second]).toContain(first.broadcastId);
    await allRows("update broadcasts set turn_at = 1 where id = ?", first.broadcastId);
    const next = await chooseChunk(all.deps);
    expect([id, second].filter((one) => one !== first.broadcastId)).toEqual([next?.broadcastId]);
  });

  it("gives back at the end of a turn what it did not hand over, and goes on in the next", async () => {
    const all = await batchScenario();
    const id = await all.start(recipientsOf(all.news, 90));
    const chunk = takeMessage(all.queued);
    await sendChunks(all.deps, chunk, { ...TURN_LIMITS, statements: 12 });
    const { sent, state } = await all.batch(id);
    expect(state).toBe("sending");
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(90);
    expect(all.queued).toEqual([expect.objectContaining({ broadcastId: id })]);
    await all.work();
    expect(await all.batch(id)).toMatchObject({ state: "done", sent: 90, failed: 0 });
    expect(await expectNobodyLost(all, 90)).toBe(0);
  });

  it("fails those who are left, with the reason, when the settings are gone", async () => {
    const all = await batchScenario();
    const id = await all.start(recipientsOf(all.news, 40));
    await allRows("update projects set smtp_password_sealed = null where id = ?", all.news.id);
    await all.work();
    const batch = await all.batch(id);
    expect(batch).toMatchObject({ state: "done", sent: 0, failed: 40 });
    expect(new Set(batch.failures.map(({ error }) => error))).toEqual(
      new Set([expect.stringContaining("SMTP settings")]),
    );
    expect(await all.news.logs()).toHaveLength(40);
  });

  it("can be read for a week, and is then deleted with its failures", async () => {
    const all = await batchScenario();
    const id = await all.start(recipientsOf(all.news, 3, "rcpt.550.5.7.1.b"));
    await all.work();
    all.clock.aheadMs += 7 * DAY - 60_000;
    await runScheduled(all.deps, EVERY_NIGHT);
    expect((await all.batch(id)).failures).toHaveLength(3);
    all.clock.aheadMs += 120_000;
    await runScheduled(all.deps, EVERY_NIGHT);
    expect(await allRows("select 1 from broadcasts where id = ?", id)).toEqual([]);
    expect(await allRows("select 1 from batch_failures where batch_id = ?", id)).toEqual([]);
  });
});

describe("a batch whose worker dies", () => {
  const SIZE = 40;
  const listOf = ({ news }: BatchScenario) => [
    ...recipientsOf(news, SIZE - 4),
    ...recipientsOf(news, 4, "rcpt.550.5.7.1.b"),
  ];

  /** An app whose nth write fails; its worker repeats nothing. */
  const dyingApp = (all: BatchScenario, stall: Omit<Stall, "meanwhile">) =>
    stalledApp(all as unknown as Scenario, { ...stall, meanwhile: died });

  it.each(["before", "after"] as const)(
    "%s any of its writes loses nobody, mails nobody twice and leaves at most 16 unknown",
    async (when) => {
      let unknown = 0;
      for (let nth = 1; ; nth++) {
        const all = await batchScenario();
        const id = await all.start(listOf(all));
        const chunk = takeMessage(all.queued);
        const dead = sendChunks(dyingApp(all, { nth, when }), chunk);
        const hasDied = await dead.then(
          () => false,
          () => true,
        );
        all.clock.aheadMs += LEASE_MS + 1_000;
        await sendChunks(all.deps, chunk);
        const left = await expectNobodyLost(all, SIZE);
        const batch = await all.batch(id, "?limit=100");
        const sent = (await all.news.logs()).filter(({ status }) => status === "sent").length;
        expect(batch).toMatchObject({ state: "done", sent, failed: SIZE - sent });
        expect(batch.failures).toHaveLength(SIZE - sent);
        unknown += left;
        if (!hasDied) break;
      }
      expect(unknown).toBeGreaterThan(0);
    },
  );

  it("has the outcomes in its log that were known, bounces and their suppressions, too", async () => {
    const all = await batchScenario();
    const { news, owner } = all;
    const bad = recipientsOf(news, 10, "rcpt.550.5.1.1.b");
    const list = recipientsOf(news, 40).flatMap((one, n) => [
      one,
      ...bad.slice(n / 4, n / 4 + (n % 4 ? 0 : 1)),
    ]);
    const id = await all.start(list);
    const chunk = takeMessage(all.queued);
    all.service.d1.before = (sql) => {
      if (isSettle(sql)) throw deathOfWorker("the worker died here");
    };
    await expect(sendChunks(all.deps, chunk)).rejects.toThrow("died");
    all.service.d1.before = undefined;
    all.clock.aheadMs += LEASE_MS + 1_000;
    await sendChunks(all.deps, chunk);
    const unknown = await expectNobodyLost(all, 50);
    const { sent, failed, bounced } = await all.batch(id);
    expect(bounced).toBeGreaterThanOrEqual(10 - unknown);
    expect(sent).toBeGreaterThanOrEqual(40 - unknown);
    expect(sent + failed).toBe(50);
    expect(await news.stats()).toMatchObject({ total: 50, sent, bounced, failed: unknown });
    const { body } = await owner.get(`${news.path}/suppressions`);
    expect(body["total"]).toBe(bounced);
  });

  it("is continued by the guard that its worker left, within 30 seconds", async () => {
    const all = await batchScenario();
    const id = await all.start(listOf(all));
    const dead = sendChunks(dyingApp(all, { nth: 3, when: "after" }), takeMessage(all.queued));
    await expect(dead).rejects.toThrow("died");
    all.deliverGuards();
    expect(all.queued).toEqual([]);
    all.clock.aheadMs += 30_000;
    all.deliverGuards();
    await all.work();
    expect(await all.batch(id)).toMatchObject({ state: "done" });
    expect(await expectNobodyLost(all, SIZE)).toBeGreaterThan(0);
  });

  it("is continued by the sweep when the guard is lost, too", async () => {
    const all = await batchScenario();
    const id = await all.start(listOf(all));
    const dead = sendChunks(dyingApp(all, { nth: 3, when: "before" }), takeMessage(all.queued));
    await expect(dead).rejects.toThrow("died");
    all.clock.aheadMs += 60_000;
    await runScheduled(all.deps, EVERY_MINUTE);
    await all.work();
    expect(await all.batch(id)).toMatchObject({ state: "done" });
    await expectNobodyLost(all, SIZE);
  });

  it("settles nothing after another worker has taken it over", async () => {
    const all = await batchScenario();
    const id = await all.start(listOf(all));
    const chunk = takeMessage(all.queued);
    await all.owner.put(`${all.news.path}/sending`, { max_connections: 10 });
    const meanwhile = async () => {
      all.clock.aheadMs += LEASE_MS;
      await sendChunks(all.deps, chunk);
    };
    const late = stalledApp(all as unknown as Scenario, { nth: 3, when: "before", meanwhile });
    await expect(sendChunks(late, chunk)).rejects.toMatchObject({ code: "chunk_taken_over" });
    const left = await expectNobodyLost(all, SIZE);
    expect(left).toBeGreaterThan(0);
    const { state, sent, failed } = await all.batch(id);
    expect([state, sent + failed]).toEqual(["done", SIZE]);
    expect(await all.news.stats()).toMatchObject({ total: SIZE, sent, failed });
  });
});

describe("the request of a batch", () => {
  const KEYED = () => ({ "Idempotency-Key": unique("key") });

  /** Lets the nth settle of a request fail, as if its worker died there. */
  const dieAtSettle = ({ service }: BatchScenario, nth: number) => {
    let settles = 0;
    const fell = Promise.withResolvers<void>();
    service.d1.before = (sql) => {
      if (!isSettle(sql) || ++settles < nth) return;
      service.d1.before = undefined;
      fell.resolve();
      throw deathOfWorker("the worker died here");
    };
    return fell.promise;
  };

  it("is answered in full although its worker dies: another one goes on", async () => {
    const all = await batchScenario();
    const fell = dieAtSettle(all, 1);
    const answer = all.post(recipientsOf(all.news, 90));
    await fell;
    await new Promise((resolve) => setTimeout(resolve, 600)); // its line closes
    all.clock.aheadMs += LEASE_MS + 1_000;
    all.deliverGuards();
    await all.work();
    const { status, body } = await answer;
    expect(status).toBe(200);
    const unknown = await expectNobodyLost(all, 90);
    expect(unknown).toBeGreaterThan(0);
    expect(body).toMatchObject({ sent: 90 - unknown, failed: unknown });
    expect(body["failures"]).toHaveLength(unknown);
  });

  it("sends by itself without the queue, and leaves nothing to do", async () => {
    const all = await batchScenario();
    const { body } = await all.post(recipientsOf(all.news, 1_200));
    expect(body).toEqual({ sent: 1_200, failed: 0, bounced: 0, suppressed: 0, failures: [] });
    all.clock.aheadMs += 60_000;
    all.deliverGuards();
    await all.work();
    expect(await expectNobodyLost(all, 1_200)).toBe(0);
  });

  it("leaves the rest to the queue when its caller is gone, with no unknown outcome", async () => {
    const all = await batchScenario();
    const { deps, news, clock, queued } = all;
    const [project] = await selectProject(deps.db, news.id);
    if (!project) throw new Error("no project");
    const ctx = systemContext(deps, "test");
    const needs = { templateId: news.templateId, subscriberId: undefined, emails: [] };
    const reads = sendReads(deps, news.id, { ...needs, idempotencyKey: undefined });
    const facts = factsOf(await runBatch(deps.db, reads));
    const recipients = recipientsOf(news, 60, "slow.200.b").map(({ to, data }) => {
      const address = parseEmailAddress(to);
      if (!address.ok) throw new Error(address.fault.message);
      return { to: { name: "", address: address.address }, data };
    });
    const input = { templateId: news.templateId, subject: undefined, recipients };
    const mode = { idempotency: undefined, isAsync: false };
    const begun = await beginBatch(ctx, project, input, facts, mode);
    if (begun.kind !== "held") throw new Error("the request does not hold its batch");
    let looks = 0;
    const isWanted = () => {
      looks += 1;
      if (looks === 60) setTimeout(() => (clock.aheadMs += 6_000), 20);
      return looks < 60;
    };
    const { sent } = await sendBatch(ctx, project, begun, isWanted);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(60);
    expect(queued).toEqual([expect.objectContaining({ broadcastId: begun.id })]);
    await all.work();
    expect(await all.batch(begun.id)).toMatchObject({ state: "done", sent: 60, failed: 0 });
    expect(await expectNobodyLost(all, 60)).toBe(0);
  });

  it("stores all of it or nothing: after a crash at that write a repetition sends once", async () => {
    for (const when of ["before", "after"] as const) {
      const all = await batchScenario();
      const [list, headers] = [recipientsOf(all.news, 30), KEYED()];
      all.service.d1[when] = (sql) => {
        if (!sql.some((text) => text.includes("insert into broadcasts"))) return;
        all.service.d1[when] = undefined;
        throw deathOfWorker("the worker died here");
      };
      expect((await all.post(list, headers)).status).toBe(409);
      if (when === "after") {
        const running = await all.post(list, headers);
        expect(running.status).toBe(409);
        expect(running.headers.get("Retry-After")).toBe("5");
        all.clock.aheadMs += 60_000;
        await runScheduled(all.deps, EVERY_MINUTE);
        await all.work();
      }
      expect(await all.post(list, headers)).toMatchObject({ status: 200, body: { sent: 30 } });
      expect(await all.news.received()).toHaveLength(30);
      expect(await expectNobodyLost(all, 30)).toBe(0);
    }
  });

  it.each([{}, KEYED()])(
    "is 404 when its project is deleted at that moment %#",
    async (headers) => {
      const all = await batchScenario();
      all.service.d1.before = async (sql) => {
        if (!sql.some((text) => text.includes("insert into broadcasts"))) return;
        all.service.d1.before = undefined;
        await allRows("delete from projects where id = ?", all.news.id);
      };
      expect((await all.post(recipientsOf(all.news, 2), headers)).status).toBe(404);
      const left = "select 1 from broadcasts where project_id = ?";
      expect(await allRows(left, all.news.id)).toEqual([]);
    },
  );

  it("gets its batch again with the same Idempotency-Key, in both ways of answering", async () => {
    const all = await batchScenario();
    const [list, headers] = [recipientsOf(all.news, 20), KEYED()];
    const isAsync = { ...headers, ...ASYNC };
    const first = await all.post(list, isAsync);
    expect(await all.post(list, isAsync)).toMatchObject({ status: 202, body: first.body });
    expect((await all.post(list, headers)).status).toBe(409);
    expect((await all.post(recipientsOf(all.news, 1), isAsync)).status).toBe(409);
    await all.work();
    expect(await all.post(list, headers)).toMatchObject({ status: 200, body: { sent: 20 } });
    expect(await all.post(list, isAsync)).toMatchObject({ status: 202, body: first.body });
    expect(await all.news.received()).toHaveLength(20);
  });

  it("sends once for simultaneous copies with the same Idempotency-Key", async () => {
    const all = await batchScenario();
    const [list, headers] = [recipientsOf(all.news, 20), KEYED()];
    const answers = await Promise.all(Array.from({ length: 5 }, () => all.post(list, headers)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    expect(await all.news.received()).toHaveLength(20);
  });

  it("costs no more statements for a few recipients than its mails need", async () => {
    const all = await batchScenario();
    await all.post(recipientsOf(all.news, 1));
    const trips: string[][] = [];
    all.service.d1.before = (sql) => void trips.push(sql);
    all.service.d1.reset();
    const { body } = await all.post(recipientsOf(all.news, 10));
    all.service.d1.before = undefined;
    expect(body).toMatchObject({ sent: 10 } satisfies Partial<BatchAnswer>);
    // The read, the batch with its recipients, the claim, and four of the settle with two of the
    // end.
    expect(trips.slice(1).map(({ length }) => length)).toEqual([2, 1, 6]);
    const ofMails = 10 * 3 + 5; // entries and totals
    expect(all.service.d1.rowsWritten - ofMails).toBeLessThanOrEqual(12);
    expect(all.guards).toEqual([]);
  });
});

describe("the recipients of a chunk", () => {
  const recipient = fc.record({
    name: fc.string({ unit: "grapheme" }),
    data: fc.dictionary(fc.string(), fc.jsonValue()),
  });

  it("are unpacked as they were packed, in their order", () => {
    fc.assert(
      fc.property(fc.array(recipient, { minLength: 1, maxLength: 30 }), (given) => {
        const list = given.map(({ name, data }, n) => {
          const address = parseEmailAddress(`r${n}@any.test`);
          if (!address.ok) throw new Error(address.fault.message);
          const plain = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
          return { to: { name, address: address.address }, data: plain };
        });
        const chunks = [...packChunks(list)];
        expect(chunks.map(({ count }) => count)).toEqual([list.length]);
        expect(chunks.flatMap(({ recipients }) => unpackRecipients(recipients))).toEqual(list);
      }),
    );
  });

  it("are fewer when their data is large", () => {
    const address = parseEmailAddress("r@any.test");
    if (!address.ok) throw new Error(address.fault.message);
    const to = { name: "", address: address.address };
    const list = Array.from({ length: 10 }, (_, n) => ({ to, data: { x: "x".repeat(90_000), n } }));
    const chunks = [...packChunks(list)];
    expect(chunks.map(({ count }) => count)).toEqual([2, 2, 2, 2, 2]);
    expect(chunks.flatMap(({ recipients }) => unpackRecipients(recipients))).toEqual(list);
  });
});
