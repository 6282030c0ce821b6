/* Batches as work of the broadcast engine: stored recipients, chunks, crashes, asynchronous answers. */
import { env, runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { runBatch } from "../../../src/db/client.ts";
import { systemContext } from "../../../src/context.ts";
import { Journal } from "../../../src/durable/journal.ts";
import { ProjectSender } from "../../../src/index.ts";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { selectLogKeys } from "../../../src/services/email-log/index.ts";
import { beginBatch, factsOf, sendBatch, sendReads } from "../../../src/services/mailing/index.ts";
import {
  packChunks,
  unpackRecipients,
} from "../../../src/services/mailing/sources/batch/pack-recipients.ts";
import { selectProject } from "../../../src/services/projects/index.ts";
import {
  ASYNC,
  hasNobodyTwice,
  isRecord,
  stalledApp,
  type Scenario,
  type Stall,
} from "../../support/broadcasting.ts";
import {
  batchScenario,
  recipientsOf,
  type BatchAnswer,
  type BatchScenario,
} from "../../support/batching.ts";
import { allRows } from "../../support/rows.ts";
import { unique } from "../../support/service.ts";
import { DAY, EVERY_MINUTE, EVERY_NIGHT, eventually } from "../../support/times.ts";
import { deathOfWorker } from "../../support/refusals.ts";

const UNKNOWN_MAX = 16;

const died = async () => {
  throw deathOfWorker("the sender died here");
};

/** Lets the sender die at the nth entry of its journal, before the entry is written or after. */
function dieAtEntry({ nth, when }: Omit<Stall, "meanwhile">): void {
  const write: Journal["write"] = Reflect.get(Journal.prototype, "write");
  let entries = 0;
  vi.spyOn(Journal.prototype, "write").mockImplementation(async function (this: Journal, entry) {
    const isLast = ++entries === nth;
    if (isLast && when === "before") await died();
    const n = await write.call(this, entry);
    if (isLast) await died();
    return n;
  });
}

afterEach(() => vi.restoreAllMocks());

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

const NOW = { from: undefined, scheduledAt: undefined };

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
    await news.start(ASYNC);
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
    const looks: string[] = [];
    service.d1.before = ([sql = ""]) => void looks.push(sql);
    await all.run();
    service.d1.before = undefined;
    const look = looks.find((sql) => sql.includes("broadcast_chunks")) ?? "";
    const values = Array.from(look.matchAll(/\?/g), () => 0);
    const plan = await allRows(`explain query plan ${look}`, ...values);
    expect(JSON.stringify(plan)).toContain("broadcasts_by_state");
    expect(JSON.stringify(plan)).not.toContain("SCAN b");
  });

  it("goes before the broadcast of its project, which gives way to it after five seconds", async () => {
    const all = await batchScenario();
    const { news, service, clock } = all;
    await news.subscribe(100, (n) => `slow.10.s${n}.${news.from}`);
    await news.start(ASYNC);
    const first = await all.start(recipientsOf(news, 5));
    let second: ReturnType<typeof all.post> | undefined;
    service.d1.before = async ([sql = ""]) => {
      if (!sql.includes("json_group_array")) return; // the first recipients of the broadcast
      service.d1.before = undefined;
      second = all.post(recipientsOf(news, 5, "c"));
      const stored = "select 1 from broadcasts where project_id = ? and state = 'sending'";
      await eventually(async () => expect(await allRows(stored, news.id)).toHaveLength(2));
      clock.aheadMs += 6_000;
    };
    await all.work();
    expect(await second).toMatchObject({ status: 200, body: { sent: 5 } });
    expect(await all.batch(first)).toMatchObject({ state: "done", sent: 5 });
    const order = await allRows<{ of: string; last: number }>(
      `select substr(to_email, 1, 1) as "of", max(sent_at) as last from logged_mails
        where project_id = ? group by 1 order by 2`,
      news.id,
    );
    expect(order.map((one) => one.of)).toEqual(["b", "c", "s"]);
  });

  it("gives back at the end of a run what it did not hand over, and goes on in the next", async () => {
    const all = await batchScenario();
    const { service, clock } = all;
    const id = await all.start(recipientsOf(all.news, 300));
    service.d1.before = (sql) => {
      if (!isRecord(sql)) return;
      service.d1.before = undefined;
      clock.aheadMs += 31_000;
    };
    expect(await all.run()).toBeLessThanOrEqual(all.deps.now());
    const { sent, state } = await all.batch(id);
    expect(state).toBe("sending");
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(300);
    expect(await all.run()).toBeUndefined();
    expect(await all.batch(id)).toMatchObject({ state: "done", sent: 300, failed: 0 });
    expect(await expectNobodyLost(all, 300)).toBe(0);
  });

  it("skips whoever is suppressed while it runs, once its page is 4 seconds old", async () => {
    const all = await batchScenario();
    const { news, owner, service, clock } = all;
    const list = recipientsOf(news, 300, "slow.10.b");
    const id = await all.start(list);
    service.d1.before = async (sql) => {
      if (!isRecord(sql)) return;
      service.d1.before = undefined;
      const suppression = { emails: [list.at(-1)?.to] };
      expect((await owner.post(`${news.path}/suppressions`, suppression)).status).toBe(200);
      clock.aheadMs += 4_001;
    };
    await all.work();
    expect(await all.batch(id)).toMatchObject({ state: "done", sent: 299, suppressed: 1 });
    expect(await news.received()).not.toContain(list.at(-1)?.to);
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

describe("a batch whose sender dies", () => {
  /** More than one record of outcomes holds. */
  const SIZE = 150;
  const listOf = ({ news }: BatchScenario) => [
    ...recipientsOf(news, SIZE - 4),
    ...recipientsOf(news, 4, "rcpt.550.5.7.1.b"),
  ];

  /** An app whose nth write fails; its sender repeats nothing. */
  const dyingApp = (all: BatchScenario, stall: Omit<Stall, "meanwhile">) =>
    stalledApp(all as unknown as Scenario, { ...stall, meanwhile: died });

  /** Lets the next run go on, and expects each mail once in the counts, the failures and the log. */
  async function expectWhole(all: BatchScenario, id: string) {
    await all.run();
    const unknown = await expectNobodyLost(all, SIZE);
    const batch = await all.batch(id, "?limit=100");
    const sent = (await all.news.logs()).filter(({ status }) => status === "sent").length;
    expect(batch).toMatchObject({ state: "done", sent, failed: SIZE - sent });
    expect(batch.failures).toHaveLength(SIZE - sent);
    expect(sent).toBeGreaterThanOrEqual(SIZE - 4 - unknown);
    return unknown;
  }

  const hasDied = (run: Promise<unknown>) =>
    run.then(
      () => false,
      () => true,
    );

  it.each(["before", "after"] as const)(
    "%s any of its writes loses nobody, mails nobody twice and leaves at most 16 unknown",
    async (when) => {
      for (let nth = 1, isDead = true; isDead; nth++) {
        const all = await batchScenario();
        const id = await all.start(listOf(all));
        isDead = await hasDied(all.run(dyingApp(all, { nth, when })));
        await expectWhole(all, id);
        if (!isDead) expect(nth).toBeGreaterThan(4); // the claim, two records, and the end
      }
    },
  );

  it.each([
    { nth: 1, when: "before", least: 0 },
    { nth: 1, when: "after", least: 8 },
    { nth: 4, when: "before", least: 0 },
    { nth: 4, when: "after", least: 8 },
    { nth: 12, when: "before", least: 0 },
    { nth: 12, when: "after", least: 8 },
  ] as const)(
    "$when entry $nth of its journal has unknown outcomes only for mails that it had begun",
    async ({ least, ...point }) => {
      const all = await batchScenario();
      const id = await all.start(listOf(all));
      dieAtEntry(point);
      expect(await hasDied(all.run())).toBe(true);
      vi.restoreAllMocks();
      expect(await expectWhole(all, id)).toBeGreaterThanOrEqual(least);
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
    all.service.d1.before = (sql) => {
      if (isRecord(sql)) throw deathOfWorker("the sender died here");
    };
    await expect(all.run()).rejects.toThrow("died");
    all.service.d1.before = undefined;
    expect(await news.logs()).toEqual([]);
    await all.run();
    // All were in the journal: the record came after the last one.
    expect(await expectNobodyLost(all, 50)).toBe(0);
    expect(await all.batch(id)).toMatchObject({ state: "done", sent: 40, failed: 10, bounced: 10 });
    expect(await news.stats()).toMatchObject({ total: 50, sent: 40, bounced: 10, failed: 0 });
    expect((await owner.get(`${news.path}/suppressions`)).body["total"]).toBe(10);
  });

  it("is continued by the minute's sweep, too", async () => {
    const all = await batchScenario();
    const id = await all.start(listOf(all));
    await expect(all.run(dyingApp(all, { nth: 2, when: "before" }))).rejects.toThrow("died");
    all.queued.length = 0;
    all.clock.aheadMs += 60_000;
    await runScheduled(all.deps, EVERY_MINUTE);
    await all.work();
    expect(await all.batch(id)).toMatchObject({ state: "done" });
    await expectNobodyLost(all, SIZE);
  });

  it("records nothing after the next instance of its object has taken it over", async () => {
    const all = await batchScenario();
    const { news, deps } = all;
    const id = await all.start(listOf(all));
    await all.owner.put(`${news.path}/sending`, { max_connections: 5 });
    const object = env.PROJECT_SENDER.get(env.PROJECT_SENDER.idFromName(news.id));
    const state = await runInDurableObject(object, (_, own) => own);
    const write: Journal["write"] = Reflect.get(Journal.prototype, "write");
    const stale = new Set<Journal>();
    let isOver = false;
    vi.spyOn(Journal.prototype, "write").mockImplementation(function (this: Journal, entry) {
      if (!isOver) stale.add(this);
      else if (stale.has(this)) throw deathOfWorker("the storage has another instance");
      return write.call(this, entry);
    });
    const after = Promise.withResolvers<unknown>();
    const meanwhile = () => {
      isOver = true;
      const next = new ProjectSender(state, all.service.env).work(deps);
      after.resolve(next);
      return next;
    };
    const late = stalledApp(all as unknown as Scenario, { nth: 2, when: "before", meanwhile });
    await expect(all.run(late)).rejects.toMatchObject({ code: "chunk_taken_over" });
    await after.promise;
    const left = await expectNobodyLost(all, SIZE);
    const { sent, failed } = await all.batch(id);
    expect(await all.batch(id)).toMatchObject({ state: "done", sent, failed: SIZE - sent });
    expect(failed).toBeLessThanOrEqual(4 + left);
    expect(await news.stats()).toMatchObject({ total: SIZE, sent, failed });
  });
});

describe("the request of a batch", () => {
  const KEYED = () => ({ "Idempotency-Key": unique("key") });

  it("is answered in full although its sender dies: the next run goes on", async () => {
    const all = await batchScenario();
    dieAtEntry({ nth: 4, when: "after" });
    const answer = all.post(recipientsOf(all.news, 90));
    await eventually(async () => {
      expect(Reflect.get(Journal.prototype, "write")).toHaveBeenCalledTimes(4);
      await all.run();
      expect(await all.news.logs()).toHaveLength(90);
    });
    const { status, body } = await answer;
    expect(status).toBe(200);
    const unknown = await expectNobodyLost(all, 90);
    expect(unknown).toBeGreaterThan(0);
    expect(body).toMatchObject({ sent: 90 - unknown, failed: unknown });
    expect(body["failures"]).toHaveLength(unknown);
  });

  it("wakes its sender without the queue, and leaves nothing to do", async () => {
    const all = await batchScenario();
    const { body } = await all.post(recipientsOf(all.news, 1_200));
    expect(body).toEqual({ sent: 1_200, failed: 0, bounced: 0, suppressed: 0, failures: [] });
    expect(all.queued).toEqual([]);
    expect(await all.run()).toBeUndefined();
    expect(await expectNobodyLost(all, 1_200)).toBe(0);
  });

  it("is sent in full although its caller is gone", async () => {
    const all = await batchScenario();
    const { deps, news } = all;
    const [project] = await selectProject(deps.db, news.id);
    if (!project) throw new Error("no project");
    const ctx = systemContext(deps, "test");
    const needs = { templateId: news.templateId, subscriberId: undefined, emails: [] };
    const reads = sendReads(deps, news.id, { ...needs, idempotencyKey: undefined });
    const facts = factsOf(await runBatch(deps.db, reads));
    const recipients = recipientsOf(news, 60).map(({ to, data }) => {
      const address = parseEmailAddress(to);
      if (!address.ok) throw new Error(address.fault.message);
      return { to: { name: "", address: address.address }, data };
    });
    const input = { templateId: news.templateId, subject: undefined, recipients, ...NOW };
    const mode = { idempotency: undefined, isAsync: false };
    const begun = await beginBatch(ctx, project, input, facts, mode);
    const { sent } = await sendBatch(ctx, project, begun.id, () => false);
    expect(sent).toBeLessThan(60);
    await eventually(async () => expect((await all.batch(begun.id)).state).toBe("done"));
    expect(await all.batch(begun.id)).toMatchObject({ sent: 60, failed: 0 });
    expect(await expectNobodyLost(all, 60)).toBe(0);
  });

  it("stores all of it or nothing: after a crash at that write a repetition sends once", async () => {
    for (const when of ["before", "after"] as const) {
      const all = await batchScenario();
      const [list, headers] = [recipientsOf(all.news, 30), KEYED()];
      all.service.d1[when] = (sql) => {
        if (!sql.some((text) => text.includes("insert into broadcasts"))) return;
        all.service.d1[when] = undefined;
        throw deathOfWorker("the sender died here");
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
    const isPoll = ([text = ""]: string[]) => /^select .*planned_id >= cutoff_id/su.test(text);
    all.service.d1.before = (sql) => void (isPoll(sql) || trips.push(sql));
    all.service.d1.reset();
    const { body } = await all.post(recipientsOf(all.news, 10));
    all.service.d1.before = undefined;
    expect(body).toMatchObject({ sent: 10 } satisfies Partial<BatchAnswer>);
    // The read, the batch with its recipients, two looks for work, the claim, the page, the record,
    // the end, the next look, and the answer.
    expect(trips.map(({ length }) => length)).toEqual([7, 2, 1, 1, 4, 1, 5, 2, 1, 3]);
    const ofMails = 10 * 3 + 5; // entries and totals
    expect(all.service.d1.rowsWritten - ofMails).toBeLessThanOrEqual(12);
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
