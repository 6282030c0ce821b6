import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/lib/durations.ts";
import type { Scenario } from "../../support/broadcasting.ts";
import { allRows } from "../../support/rows.ts";
import { scenario, deliveryReportOf, all, sendWatched } from "../../support/delivery-reports.ts";

describe("a retry of a broadcast", () => {
  const retry = ({ owner, news, id }: Scenario, body: object = {}) =>
    owner.post(`${news.path}/broadcasts/${id}/retry`, body);

  /** Starts a retry, and returns the scenario of the new broadcast. */
  const retried = async (of: Scenario, given?: object): Promise<Scenario> => {
    const { status, body } = await retry(of, given);
    expect(status).toBe(202);
    return { ...of, id: String(body["broadcast_id"]) };
  };

  /** Good recipients, one whom the server refuses once for good, and one of unknown outcome. */
  const withFailures = async () => {
    const run = await scenario(2, async (news) => {
      await news.subscribe(2, (n) => `rcpt-once.554.5.7.1.no${n}.${news.from}`);
      await news.subscribe(1, () => `close.data.lost.${news.from}`);
      await news.subscribe(1, () => `rcpt.550.5.1.1.bad.${news.from}`);
    });
    expect(await retry(run)).toMatchObject({
      status: 409,
      body: { error: "the broadcast is sending" },
    });
    await run.settle();
    expect(await deliveryReportOf(run)).toMatchObject({
      sent: 2,
      failed: 2,
      unknown: 1,
      bounced: 1,
    });
    return run;
  };

  it("mails recipients whose mail definitely failed, once, as a separate broadcast", async () => {
    const run = await withFailures();
    const answers = await Promise.all([retry(run), retry(run)]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([202, 409]);
    const started = answers.find(({ status }) => status === 202);
    const second = { ...run, id: String(started?.body["broadcast_id"]) };
    expect(await deliveryReportOf(run)).toMatchObject({
      retried_by: second.id,
      failed: 2,
      unknown: 1,
    });
    expect(await deliveryReportOf(second)).toMatchObject({
      total: 2,
      waiting: 2,
      retried_by: null,
    });
    const waiting = (await all(second, "outcome=waiting")).map(({ email }) => String(email));
    expect([waiting.length, waiting.every((email) => email.includes(".no"))]).toEqual([2, true]);
    await run.work();
    expect(await deliveryReportOf(second)).toMatchObject({ total: 2, sent: 2, waiting: 0 });
    expect(await run.news.progress(second.id)).toMatchObject({ state: "done", sent: 2 });
    const received = await run.news.received();
    expect(received.filter((to) => to.includes(".no"))).toHaveLength(2);
    expect(new Set(received).size).toBe(received.length);
    expect(await retry(run)).toMatchObject({
      status: 409,
      body: { code: "broadcast_retried", params: { retry: second.id } },
    });
  });

  it("excludes unsubscribed recipients, and mails unknown outcomes only on request", async () => {
    const run = await withFailures();
    await allRows(
      "update subscribers set status = 'unsubscribed' where project_id = ? and email like '%.no0.%'",
      run.news.id,
    );
    const stranger = await run.service.newOwner();
    const { id: theirs } = await stranger.newProject();
    const foreign = `/projects/${theirs}/broadcasts/${run.id}/retry`;
    expect((await stranger.post(foreign, {})).status).toBe(404);
    const second = await retried(run, { include_unknown: true });
    await run.work();
    expect(await deliveryReportOf(second)).toMatchObject({
      total: 3,
      sent: 1,
      unknown: 1,
      skipped: 1,
    });
    expect((await retry(second)).status).toBe(409); // nobody failed for certain
  });

  it("follows the frequency cap from its own start, and keeps the time spans of the audience", async () => {
    const run = await withFailures();
    const path = `${run.news.path}/audience-settings`;
    await run.owner.put(path, { min_days_between_broadcasts: 2 });
    await allRows(
      "update subscribers set created_at = ?2 where project_id = ?1",
      run.news.id,
      Date.now() - DAY_MS,
    );
    await allRows(
      "update broadcasts set audience_where = 'created:3d', where_at = created_at where id = ?",
      run.id,
    );
    run.clock.aheadMs += DAY_MS;
    await run.deps.db.run(
      sql`insert into subscriber_mailings (project_id, at, first_id, last_id, ids)
        select ${run.news.id}, ${run.deps.now()}, min(id), max(id), json_group_array(id)
        from subscribers where project_id = ${run.news.id} and email like '%.no_.%'`,
    );
    run.clock.aheadMs += 3 * DAY_MS;
    const second = await retried(run);
    await run.work();
    expect(await deliveryReportOf(second)).toMatchObject({ total: 2, sent: 2, skipped: 0 });
  });

  it("that was cancelled before its first mail can be retried, repeatedly, for the same recipients", async () => {
    const run = await withFailures();
    let last = run;
    for (let n = 0; n < 2; n++) {
      last = await retried(last);
      await run.owner.post(`${run.news.path}/broadcasts/${last.id}/cancel`);
      await run.work();
      expect(await deliveryReportOf(last)).toMatchObject({ total: 2, sent: 0, skipped: 2 });
    }
    const third = await retried(last);
    expect(await deliveryReportOf(last)).toMatchObject({ retried_by: third.id });
    await run.work();
    expect(await deliveryReportOf(third)).toMatchObject({ total: 2, sent: 2, retried_by: null });
    expect((await run.news.received()).filter((to) => to.includes(".no"))).toHaveLength(2);
  });

  it("that was cancelled halfway can be retried, for the recipients whom it skipped or did not reach", async () => {
    const run = await scenario(0, async (news) => {
      for (const name of ["first", "second", "skipped0", "skipped1"])
        await news.subscribe(1, () => `rcpt.554.5.7.1.${name}.${news.from}`);
    });
    const sqlOfMove =
      "update subscribers set email = ?2 || substr(email, instr(email, ?3)) where project_id = ?1 and instr(email, ?3)";
    const move = (name: string, to: string) => allRows(sqlOfMove, run.news.id, to, name);
    await run.settle();
    let last = run;
    for (const reached of ["first", "second"]) {
      await move(reached, "good.");
      await move("skipped", "rcpt.451.4.7.1.");
      last = await retried(last);
      await run.work();
      await run.owner.post(`${run.news.path}/broadcasts/${last.id}/cancel`);
      expect(await deliveryReportOf(last)).toMatchObject({ sent: 1, skipped: 2 });
    }
    await move("skipped", "good.");
    const third = await retried(last);
    await run.work();
    expect(await deliveryReportOf(third)).toMatchObject({ total: 2, sent: 2 });
    const received = await run.news.received();
    expect([received.length, new Set(received).size]).toEqual([4, 4]);
  });

  it("is 404 once its topic has been deleted, and starts nothing", async () => {
    const run = await withFailures();
    await allRows("update broadcasts set topic_id = 'deleted' where id = ?", run.id);
    expect(await retry(run)).toMatchObject({ status: 404, body: { error: "topic not found" } });
    expect(await deliveryReportOf(run)).toMatchObject({ retried_by: null });
  });

  it("of a cancelled one is 409 while mails are in flight, which can fail later", async () => {
    const run = await scenario(0, async (news) => {
      await news.subscribe(1, () => `rcpt-once.554.5.7.1.first.${news.from}`);
      await news.subscribe(50, (n) => `good${n}.${news.from}`);
    });
    const early: unknown[] = [];
    await sendWatched(run, async () => {
      run.clock.aheadMs += 1_000; // after which outcomes are recorded
      if (early.length > 0 || (await deliveryReportOf(run))["failed"] !== 1) return;
      await run.owner.post(`${run.news.path}/broadcasts/${run.id}/cancel`);
      early.push(await retry(run));
    });
    expect(early).toMatchObject([{ status: 409, body: { code: "mails_in_hand" } }]);
    expect((await retry(run)).status).toBe(202);
    await run.work();
    expect((await run.news.received()).filter((to) => to.includes(".first."))).toHaveLength(1);
  });

  it("of a cancelled one does not wait for deferred mails, which are never sent", async () => {
    const run = await scenario(3, async (news) => {
      await news.subscribe(1, () => `rcpt-once.554.5.7.1.first.${news.from}`);
      await news.subscribe(1, () => `rcpt.451.4.7.1.later.${news.from}`);
    });
    await sendWatched(run, async () => {
      if ((await deliveryReportOf(run))["failed"] === 1)
        await run.owner.post(`${run.news.path}/broadcasts/${run.id}/cancel`);
    });
    const progress = await run.news.progress(run.id);
    expect(progress).toMatchObject({ state: "cancelled", sent: 3, failed: 1 });
    const second = await retried(run);
    await run.work();
    expect(await deliveryReportOf(second)).toMatchObject({ total: 1, sent: 1, waiting: 0 });
    expect(await run.news.received()).toHaveLength(4);
  });
});
