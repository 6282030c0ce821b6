import { describe, expect, it } from "vitest";
import { handleReports } from "../../../src/services/bounces/handle-reports.ts";
import { DAY_MS } from "../../../src/lib/durations.ts";
import { failureReport } from "../../support/bounce-reports.ts";
import { AFTER_UNDO_MS, draftWorld, type DraftWorld } from "../../support/drafting.ts";
import { isRecord, runUntilDeath, type Scenario } from "../../support/broadcasting.ts";
import { allRows, type Row } from "../../support/rows.ts";
import {
  scenario,
  deliveryReportOf,
  recipientsOf,
  all,
  unsubscribe,
  sendWatched,
  mixed,
} from "../../support/delivery-reports.ts";

describe("the report of a broadcast", () => {
  it("counts each recipient once, at its start and at its end, with unknown outcomes separately", async () => {
    const run = await mixed();
    expect(await deliveryReportOf(run)).toMatchObject({
      total: 11,
      waiting: 11,
      sent: 0,
      rate_per_minute: null,
      estimated_end_at: null,
    });
    await run.finish();
    expect(await deliveryReportOf(run)).toMatchObject({
      total: 11,
      sent: 6,
      bounced: 2,
      suppressed: 1,
      failed: 1,
      unknown: 1,
      waiting: 0,
      skipped: 0,
      complaints: 0,
      estimated_end_at: null,
      rate_per_minute: expect.any(Number),
    });
    expect(await run.news.progress(run.id)).toMatchObject({ sent: 6, failed: 2, bounced: 2 });
  });

  it("adds up after each write of the sender, and estimates the end while it sends", async () => {
    const run = await scenario(40);
    const seen: Row[] = [];
    await sendWatched(run, async () => {
      run.clock.aheadMs += 1_000;
      seen.push(await deliveryReportOf(run));
    });
    expect(seen.length).toBeGreaterThan(3);
    for (const { total } of seen) expect(total).toBe(40);
    expect(await deliveryReportOf(run)).toMatchObject({ sent: 40, waiting: 0 });
    await run.finish();
  });

  it("estimates the end from its recent outcomes, so a night's pause has no effect", async () => {
    const run = await scenario(600);
    const { clock, owner, news, id, service, queued, work } = run;
    const control = (action: string) => owner.post(`${news.path}/broadcasts/${id}/${action}`);
    service.d1.after = async (sql) => {
      if (!isRecord(sql)) return;
      service.d1.after = undefined;
      await control("pause");
    };
    await run.run();
    const before = await deliveryReportOf(run);
    expect(before["waiting"]).toBeGreaterThan(150);
    clock.aheadMs += DAY_MS / 3;
    await control("resume");
    const seen: Row[] = [];
    clock.stoppedAt = Date.now(); // a busy machine must not lower the rate
    service.d1.after = async (sql) => {
      if (!isRecord(sql)) return;
      clock.aheadMs += 1_000;
      const look = await owner.get(`${news.path}/broadcasts/${id}/ledger`);
      seen.push({ ...look.body, at: run.deps.now() });
    };
    expect(queued.length).toBeGreaterThan(0);
    await work();
    service.d1.after = undefined;
    const late = seen.filter((one) => one["estimated_end_at"] !== null).slice(1);
    expect(late.length).toBeGreaterThan(0);
    for (const { rate_per_minute: rate, estimated_end_at: end, at } of late) {
      expect(Number(rate)).toBeGreaterThan(100);
      expect(Date.parse(String(end)) - Number(at)).toBeLessThan(3 * 60_000);
    }
    expect(await deliveryReportOf(run)).toMatchObject({ sent: 600, waiting: 0 });
  });

  it("says until when the limits hold it back, and the end that follows from them", async () => {
    const MINUTE = 60_000;
    const seenIn = async (world: DraftWorld) => {
      const { body } = await world.owner.get(`${world.one}/report`);
      const at = (name: string) => Date.parse(String(body[name])) - world.deps.now();
      return { next: at("waiting_until"), end: at("estimated_end_at"), sent: body["sent"] };
    };
    const paced = await draftWorld(12, { per_hour: 60, where: "not tag:moon" });
    await paced.start();
    await paced.pass(AFTER_UNDO_MS);
    const first = await seenIn(paced);
    expect(first.sent).toBe(5);
    expect(first.next).toBeGreaterThan(4 * MINUTE);
    expect(first.next).toBeLessThanOrEqual(5 * MINUTE);
    expect(first.end - first.next).toBe(5 * MINUTE);
    paced.clock.aheadMs += 2 * MINUTE;
    const later = await seenIn(paced);
    expect(later.end + 2 * MINUTE - first.end).toBeLessThan(1_000);
    expect(later.end + 2 * MINUTE - first.end).toBeGreaterThan(-10_000);
    const warming = await draftWorld(14, {
      warm_up: { first_day: 2 },
      where: "not tag:moon",
    });
    await warming.start();
    await warming.pass(AFTER_UNDO_MS);
    const day = await seenIn(warming);
    expect(day.sent).toBe(2);
    expect(day.next).toBeGreaterThan(DAY_MS - 5 * MINUTE);
    expect(day.end - day.next).toBe(DAY_MS);
    await warming.owner.post(`${warming.one}/pause`);
    const { body } = await warming.owner.get(`${warming.one}/report`);
    expect(body).toMatchObject({ waiting_until: null, estimated_end_at: null });
  });

  it("waits for no limit while a server defers its mails", async () => {
    const run = await scenario(0, async (news) => {
      await news.subscribe(1, () => `rcpt.451.4.3.0.never.${news.from}`);
    });
    await run.work();
    expect(await deliveryReportOf(run)).toMatchObject({ waiting: 1, waiting_until: null });
  });

  it("counts recipients who have left as skipped at the end, and all remaining ones if it is cancelled", async () => {
    const run = await scenario(5);
    await unsubscribe(run, "s1.");
    expect(await deliveryReportOf(run)).toMatchObject({ total: 5, waiting: 5, skipped: 0 });
    await run.finish();
    expect(await deliveryReportOf(run)).toMatchObject({
      total: 5,
      sent: 4,
      waiting: 0,
      skipped: 1,
    });
    const other = await scenario(3);
    await other.owner.post(`${other.news.path}/broadcasts/${other.id}/cancel`);
    expect(await deliveryReportOf(other)).toMatchObject({ total: 3, waiting: 0, skipped: 3 });
  });

  it("lists skipped recipients at the end, and none once the log may have lost mails", async () => {
    const run = await scenario(5, async (news, owner) => {
      await unsubscribe({ news, owner }, "s0."); // before the start
    });
    run.clock.aheadMs += 1_000;
    await unsubscribe(run, "s1.");
    expect(await all(run, "outcome=skipped")).toEqual([]);
    await run.finish();
    expect(await deliveryReportOf(run)).toMatchObject({ total: 4, sent: 3, skipped: 1 });
    expect(await all(run, "outcome=skipped")).toMatchObject([
      { email: `s1.${run.news.from}`, outcome: "skipped", log_id: null, sent_at: null },
    ]);
    expect(await all(run, "")).toHaveLength(3);
    const other = await scenario(3);
    await other.owner.post(`${other.news.path}/broadcasts/${other.id}/cancel`);
    expect(await all(other, "outcome=skipped")).toHaveLength(3);
    run.clock.aheadMs += 400 * DAY_MS; // the session has ended by then
    const reader = run.service.withKey(run.news.key);
    const list = `${run.news.path}/broadcasts/${run.id}/recipients?outcome=skipped`;
    expect((await reader.get(list)).body).toEqual({ recipients: [], next: null });
  });

  it("counts mails that a dead sender left as unknown", async () => {
    const run = await scenario(4);
    await runUntilDeath(run, { at: "entry", when: "after" });
    expect(await deliveryReportOf(run)).toMatchObject({ total: 4, sent: 0, unknown: 0 });
    await run.finish();
    expect(await deliveryReportOf(run)).toMatchObject({ total: 4, sent: 0, unknown: 4, failed: 0 });
  });
});

describe("a bounce that is reported later", () => {
  const logIds = async ({ id }: Scenario) =>
    allRows<{ id: string; to_email: string }>(
      "select id, to_email from logged_mails where broadcast_id = ? and status = 'sent' order by to_email",
      id,
    );
  const report = async (run: Scenario, mails: { id: string; to_email: string }[]) =>
    handleReports(
      run.deps,
      run.news.id,
      mails.map(({ id, to_email }) => failureReport(to_email, id)),
    );

  it("moves its recipient from sent to bounced, once, in the report, the list and the broadcast", async () => {
    const [run, other] = [await scenario(5), await scenario(2)];
    await run.finish();
    await other.finish();
    const [first, second, third] = await logIds(run);
    if (!first || !second || !third) throw new Error("three mails");
    await report(run, [first, second]);
    await report(run, [second, third]);
    expect(await deliveryReportOf(run)).toMatchObject({ total: 5, sent: 2, bounced: 3 });
    expect(await run.news.progress(run.id)).toMatchObject({ state: "done", sent: 2, bounced: 3 });
    expect(await all(run, "outcome=bounced")).toHaveLength(3);
    await report(run, await logIds(other)); // mails of another project
    expect(await deliveryReportOf(other)).toMatchObject({ total: 2, sent: 2, bounced: 0 });
  });

  it("adds up while the broadcast is sending", async () => {
    const run = await scenario(40);
    const seen: Row[] = [];
    await sendWatched(run, async () => {
      const [mail] = await logIds(run);
      if (!mail || seen.length === 2) return;
      await report(run, [mail]);
      seen.push(await deliveryReportOf(run));
    });
    expect(seen.map(({ bounced }) => bounced)).toEqual([1, 2]);
    await run.finish();
    expect(await deliveryReportOf(run)).toMatchObject({
      total: 40,
      sent: 38,
      bounced: 2,
      waiting: 0,
    });
  });
});

describe("the recipients of a broadcast", () => {
  it("have their outcomes, searchable by outcome and address prefix", async () => {
    const run = await mixed();
    const before = await all(run, "outcome=waiting");
    expect(before).toHaveLength(11);
    for (const recipient of before)
      expect(recipient).toMatchObject({ outcome: "waiting", log_id: null, sent_at: null });
    await run.finish();
    const found = await all(run, "");
    expect(found.map(({ subscriber_id }) => subscriber_id)).toEqual(
      before.map(({ subscriber_id }) => subscriber_id),
    );
    expect((await recipientsOf(run, `limit=${found.length - 1}`)).next).not.toBeNull();
    expect((await recipientsOf(run, `limit=${found.length}`)).next).toBeNull();
    const counted = Object.groupBy(found, ({ outcome }) => String(outcome));
    expect(Object.entries(counted).map(([name, rows = []]) => [name, rows.length])).toEqual([
      ["sent", 6],
      ["bounced", 2],
      ["suppressed", 1],
      ["failed", 1],
      ["unknown", 1],
    ]);
    for (const [outcome, rows] of Object.entries(counted))
      expect(await all(run, `outcome=${outcome}`)).toEqual(rows);
    const [bounced] = counted["bounced"] ?? [];
    expect(bounced).toMatchObject({
      reason: "user_unknown",
      error: expect.stringContaining("550"),
    });
    const story = await run.owner.get(`${run.news.path}/logs/${String(bounced?.["log_id"])}`);
    expect(story.body).toMatchObject({ to_email: bounced?.["email"], broadcast_id: run.id });
    expect(await all(run, "search=RCPT.550.5.1.1.bad&outcome=bounced")).toEqual(counted["bounced"]);
    expect(await all(run, "search=nobody")).toEqual([]);
    expect(await all(run, "search=%25")).toEqual([]);
    const offset = `${run.news.path}/broadcasts/${run.id}/recipients?offset=1`;
    expect(await run.owner.get(offset)).toMatchObject({
      status: 400,
      body: { error: "offset: must be omitted: this list is paginated with after" },
    });
  });

  it("are those of the own project only, at a cost independent of the audience", async () => {
    const run = await scenario(700);
    const stranger = await run.service.newOwner();
    const { id: theirs } = await stranger.newProject();
    for (const part of ["recipients", "ledger"])
      expect((await stranger.get(`/projects/${theirs}/broadcasts/${run.id}/${part}`)).status).toBe(
        404,
      );
    run.service.d1.reset();
    const page = await recipientsOf(run, "outcome=sent");
    expect([page.recipients, typeof page.next]).toEqual([[], "string"]);
    expect([run.service.d1.roundTrips, run.service.d1.rowsWritten]).toEqual([2, 0]);
    expect(run.service.d1.rowsRead).toBeLessThan(3_700);
    const rest = await recipientsOf(run, `outcome=sent&after=${String(page.next)}`);
    expect(rest.next).toBeNull();
  });
});

describe("a cursor of the recipients of a broadcast", () => {
  it("of a search is 400 without one, and vice versa", async () => {
    const run = await scenario(3);
    const next = async (query: string) =>
      String((await recipientsOf(run, `${query}limit=1&after=`)).next);
    const [first] = (await recipientsOf(run, "")).recipients;
    const search = `search=${String(first?.["email"]).slice(0, 1)}`;
    const [plain, found] = [await next(""), await next(`${search}&`)];
    expect([plain, found]).not.toContain("null");
    const refused = { error: "after: is not a cursor of this order" };
    expect(await recipientsOf(run, `after=${found}`)).toMatchObject(refused);
    expect(await recipientsOf(run, `${search}&after=${plain}`)).toMatchObject(refused);
    expect((await recipientsOf(run, `${search}&after=${found}`)).recipients).toHaveLength(2);
  });
});

describe("the recipients of a broadcast as CSV", () => {
  const csvOf = async ({ service, owner, news, id }: Scenario, query = "") => {
    const path = `/api/v1${news.path}/broadcasts/${id}/recipients?${query}`;
    const headers = { Accept: "text/csv", Cookie: owner.cookie };
    const response = await service.fetch(path, { headers });
    expect(response.headers.get("Content-Type")).toContain("text/csv");
    const [header = "", ...lines] = (await response.text()).trimEnd().split("\r\n");
    return { header, lines };
  };

  it("match the list under the same filters", async () => {
    const run = await mixed();
    await run.finish();
    for (const query of ["", "outcome=bounced", "search=rcpt.550.5.1", "outcome=waiting"]) {
      const { header, lines } = await csvOf(run, query);
      const recipients = await all(run, query);
      expect(header).toBe(
        "subscriber_id,email,outcome,log_id,error,reason,sent_at,opened_at,clicked_at",
      );
      const begin = ({ subscriber_id: subscriber, email, outcome, log_id: log }: Row) =>
        [subscriber, email, outcome, log ?? ""].map(String).join(",");
      expect([query, lines.length]).toEqual([query, recipients.length]);
      for (const [n, line] of lines.entries())
        expect(line.startsWith(begin(recipients[n] ?? {}))).toBe(true);
    }
    const stranger = await run.service.newOwner();
    const { id: theirs } = await stranger.newProject();
    const foreign = await run.service.fetch(
      `/api/v1/projects/${theirs}/broadcasts/${run.id}/recipients`,
      { headers: { Accept: "text/csv", Cookie: stranger.cookie } },
    );
    expect(foreign.status).toBe(404);
  });

  it("come in parts of 2,500 examined subscribers, even if a part shows none", async () => {
    const run = await scenario(2_600);
    run.service.d1.reset();
    expect((await csvOf(run)).lines).toHaveLength(2_600);
    expect(run.service.d1.roundTrips).toBeLessThanOrEqual(2 + 2 * 2);
    expect((await csvOf(run, "outcome=sent")).lines).toEqual([]);
    await allRows(
      "update subscribers set status = 'unsubscribed' where id in (select id from subscribers where project_id = ? order by id limit 2550)",
      run.news.id,
    );
    expect((await csvOf(run, "outcome=waiting")).lines).toHaveLength(50);
  });
});

describe("the timeline of a recipient's mail", () => {
  it("has the attempts before the last one, with their times, in the log entry's row only", async () => {
    const run = await scenario(1, async (news) => {
      await news.subscribe(1, () => `rcpt-once.451.4.7.1.grey.${news.from}`);
      await news.subscribe(1, () => `rcpt.451.4.3.0.never.${news.from}`);
    });
    await run.finish();
    const timelineOf = async (search: string) => {
      const [found] = await all(run, `search=${search}`);
      const { body } = await run.owner.get(`${run.news.path}/logs/${String(found?.["log_id"])}`);
      return body as Row & { attempts: { at: string; status: string; error: string | null }[] };
    };
    const grey = await timelineOf("rcpt-once");
    expect(grey.attempts).toMatchObject([
      { status: "deferred", error: expect.stringContaining("451"), via_fallback: false },
      { at: grey["sent_at"], status: "sent", error: null, via_fallback: false },
    ]);
    const never = await timelineOf("rcpt.451");
    const statuses = never.attempts.map(({ status }) => status);
    expect(statuses).toEqual(["deferred", "deferred", "deferred", "failed"]);
    for (const { error } of never.attempts) expect(error).toContain("4.3.0");
    const times = never.attempts.map(({ at }) => Date.parse(at));
    const waits = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    for (const [n, least] of [30_000, 120_000, 600_000].entries())
      expect(waits[n]).toBeGreaterThanOrEqual(least);
    expect((await timelineOf("s0."))["attempts"]).toHaveLength(1);
    const rows = await allRows(
      "select earlier from log_entries where earlier is null and hex(broadcast_id) = ?",
      run.id.replaceAll("-", "").toUpperCase(),
    );
    expect(rows).toHaveLength(1);
  });
});
