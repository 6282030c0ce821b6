import { describe, expect, it } from "vitest";
import type { Scenario } from "../../support/broadcasting.ts";
import { AFTER_UNDO_MS, ANYWAY } from "../../support/drafting.ts";
import { allRows } from "../../support/rows.ts";
import { scenario, deliveryReportOf, sendWatched } from "../../support/delivery-reports.ts";

describe("a resend to those whose mail failed", () => {
  const resend = ({ owner, news, id }: Scenario, to = "failed") =>
    owner.post<{ id: string }>(`${news.path}/broadcasts/${id}/resend`, { to });

  /** Starts a resend and lets it begin. Returns its scenario. */
  const resent = async (of: Scenario, to?: string): Promise<Scenario> => {
    const { status, body } = await resend(of, to);
    expect(status).toBe(201);
    const started = await of.owner.post(`${of.news.path}/broadcasts/${body.id}/start`, ANYWAY);
    expect(started).toMatchObject({ status: 202 });
    of.clock.aheadMs += AFTER_UNDO_MS;
    return { ...of, id: body.id };
  };

  /** Good recipients, two whom the server refuses once for good, and one of unknown outcome. */
  const withFailures = async () => {
    const run = await scenario(2, async (news) => {
      await news.subscribe(2, (n) => `rcpt-once.554.5.7.1.no${n}.${news.from}`);
      await news.subscribe(1, () => `close.data.lost.${news.from}`);
      await news.subscribe(1, () => `rcpt.550.5.1.1.bad.${news.from}`);
    });
    expect(await resend(run)).toMatchObject({
      status: 409,
      body: { error: "the broadcast is sending" },
    });
    await run.finish();
    expect(await deliveryReportOf(run)).toMatchObject({
      sent: 2,
      failed: 2,
      unknown: 1,
      bounced: 1,
    });
    return run;
  };

  it("mails only those whose mail definitely failed, once", async () => {
    const run = await withFailures();
    const second = await resent(run);
    await run.work();
    expect(await deliveryReportOf(second)).toMatchObject({ total: 2, sent: 2, waiting: 0 });
    expect(await run.news.progress(second.id)).toMatchObject({ state: "done", sent: 2 });
    const received = await run.news.received();
    expect(received.filter((to) => to.includes(".no"))).toHaveLength(2);
    expect(new Set(received).size).toBe(received.length);
    for (const again of [run, second]) {
      const third = await resent(again); // whom no resend has reached: nobody
      await run.work();
      expect(await deliveryReportOf(third)).toMatchObject({ total: 0, sent: 0 });
    }
    expect(await run.news.received()).toHaveLength(received.length);
  });

  it("mails nobody twice if two of them are started at once", async () => {
    const run = await withFailures();
    const [one, other] = [await resent(run), await resent(run, "failed_or_unknown")];
    await run.work();
    run.clock.aheadMs += AFTER_UNDO_MS;
    await run.work();
    expect(await deliveryReportOf(one)).toMatchObject({ sent: 2 });
    expect(await deliveryReportOf(other)).toMatchObject({ total: 1, sent: 0, unknown: 1 });
    expect((await run.news.received()).filter((to) => to.includes(".no"))).toHaveLength(2);
  });

  it("excludes unsubscribed recipients, and mails unknown outcomes only on request", async () => {
    const run = await withFailures();
    await allRows(
      "update subscribers set status = 'unsubscribed' where project_id = ? and email like '%.no0.%'",
      run.news.id,
    );
    const stranger = await run.service.newOwner();
    const { id: theirs } = await stranger.newProject();
    const foreign = `/projects/${theirs}/broadcasts/${run.id}/resend`;
    expect((await stranger.post(foreign, { to: "failed" })).status).toBe(404);
    const second = await resent(run, "failed_or_unknown");
    await run.work();
    expect(await deliveryReportOf(second)).toMatchObject({ total: 2, sent: 1, unknown: 1 });
  });

  it("that was cancelled can be repeated, for those whom it skipped or did not reach", async () => {
    const run = await scenario(0, async (news) => {
      for (const name of ["first", "second", "skipped0", "skipped1"])
        await news.subscribe(1, () => `rcpt.554.5.7.1.${name}.${news.from}`);
    });
    const sqlOfMove =
      "update subscribers set email = ?2 || substr(email, instr(email, ?3)) where project_id = ?1 and instr(email, ?3)";
    const move = (name: string, to: string) => allRows(sqlOfMove, run.news.id, to, name);
    await run.finish();
    let last = run;
    for (const reached of ["first", "second"]) {
      await move(reached, "good.");
      await move("skipped", "rcpt.451.4.7.1.");
      last = await resent(last);
      await run.work();
      await run.owner.post(`${run.news.path}/broadcasts/${last.id}/cancel`);
      expect(await deliveryReportOf(last)).toMatchObject({ sent: 1, skipped: 2 });
    }
    await move("skipped", "good.");
    const third = await resent(last);
    await run.work();
    expect(await deliveryReportOf(third)).toMatchObject({ total: 2, sent: 2 });
    const received = await run.news.received();
    expect([received.length, new Set(received).size]).toEqual([4, 4]);
  });

  it("of a cancelled one does not reach deferred mails, which are never sent", async () => {
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
    const second = await resent(run);
    await run.work();
    expect(await deliveryReportOf(second)).toMatchObject({ total: 1, sent: 1, waiting: 0 });
    expect(await run.news.received()).toHaveLength(4);
  });
});
