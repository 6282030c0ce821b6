/* The visits, departures and complaints that the ledger of a broadcast counts. */
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { handleReports } from "../../../src/services/bounces/handle-reports.ts";
import { complaintReport } from "../../support/bounce-reports.ts";
import { scenario, type Scenario } from "../../support/broadcasting.ts";
import { AFTER_UNDO_MS, ANYWAY, draftWorld } from "../../support/drafting.ts";
import type { Client } from "../../support/service.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { DAY, EVERY_NIGHT } from "../../support/times.ts";
import { BARRACUDA, GMAIL, trackingEvent, URL_A, URL_B } from "../../support/tracking/mails.ts";

interface Ledger {
  sent: number;
  opened: number;
  opened_human: number;
  clicked: number;
  clicked_human: number;
  unsubscribed: number;
  complaints: number;
  complained: number;
  links: { url: string; clicked: number; clicked_human: number }[];
}

const deliveryReportOf = async ({
  owner,
  news,
  id,
}: Pick<Scenario, "news" | "id"> & { owner: Client }) =>
  (await owner.get<Ledger>(`${news.path}/broadcasts/${id}/ledger`)).body;

/** A broadcast to `count` that is sent, with a recorder of visits some time after that. */
async function sentBroadcast(count: number) {
  const run = await scenario(count);
  await run.finish();
  const mails = (await run.news.logs()).toSorted((a, b) => (a.to_email < b.to_email ? -1 : 1));
  const since = run.deps.now() + 60_000;
  const visit = (
    kind: "open" | "click",
    mail: number,
    atMs: number,
    { url = URL_A, userAgent = "" } = {},
  ) => {
    const event = trackingEvent(kind, mails[mail]?.id ?? "", since + atMs, url);
    return userAgent === "" ? event : { ...event, userAgent };
  };
  /** Records visits and returns the rows written. */
  const record = async (...events: ReturnType<typeof visit>[]) => {
    run.service.d1.reset();
    await recordEvents(run.deps, events);
    return run.service.d1.rowsWritten;
  };
  return { ...run, mails, visit, record };
}

/** Returns the recipients who show a reaction, after one look that reads no row for each other. */
async function reactorsOf({ owner, service, news, id }: Scenario, reaction: string) {
  const path = `${news.path}/broadcasts/${id}/recipients`;
  const costOf = async (query: string) => {
    service.d1.reset();
    const { body } = await owner.get<{ recipients: { subscriber_id: string; email: string }[] }>(
      path + query,
    );
    return { body, trips: service.d1.roundTrips, rows: service.d1.rowsRead };
  };
  const plain = await costOf("?outcome=sent");
  const { body, trips, rows } = await costOf(`?reaction=${reaction}`);
  const most = plain.rows + (reaction === "complained" ? 2 * plain.body.recipients.length : 0);
  expect([trips, rows <= most ? most : rows]).toEqual([plain.trips, most]);
  return body.recipients;
}

/**
 * Expects that each number of visits in the ledger is the length of its list, among the recipients
 * and in their CSV.
 */
async function expectLists({ owner, service, news, id }: Scenario) {
  const recipients = `${news.path}/broadcasts/${id}/recipients`;
  const listed = async (filter: [string, string][]) => {
    let [count, next]: [number, string | null] = [0, ""];
    while (next !== null) {
      const query = new URLSearchParams([...filter, ["limit", "2"], ["after", next]]);
      const { body } = await owner.get<{ next: string | null; recipients: unknown[] }>(
        `${recipients}?${query.toString()}`,
      );
      count += body.recipients.length;
      ({ next } = body);
    }
    return count;
  };
  const ledger = await deliveryReportOf({ owner, news, id });
  const lists: [filter: [string, string][], count: number][] = [
    ...(["opened", "opened_human", "clicked", "clicked_human"] as const).map(
      (visit): [[string, string][], number] => [[["visit", visit]], ledger[visit]],
    ),
    ...ledger.links.flatMap(({ url, clicked, clicked_human }): [[string, string][], number][] => [
      [[["link", url]], clicked],
      [
        [
          ["link", url],
          ["visit", "clicked_human"],
        ],
        clicked_human,
      ],
    ]),
    [[["link", `${URL_A}#other`]], 0],
  ];
  for (const [filter, count] of lists) {
    expect([filter, await listed(filter)]).toEqual([filter, count]);
    const csv = await service.fetch(
      `/api/v1${recipients}?${new URLSearchParams(filter).toString()}`,
      {
        headers: { Accept: "text/csv", Cookie: owner.cookie },
      },
    );
    expect((await csv.text()).trimEnd().split("\r\n")).toHaveLength(count + 1);
  }
  for (const query of ["visit=read", `link=${"x".repeat(4_097)}`])
    expect((await owner.get(`${recipients}?${query}`)).status).toBe(400);
}

describe("the visits of a broadcast", () => {
  it("count each mail once, by people and in total, and each link", async () => {
    const run = await sentBroadcast(4);
    const { visit, record } = run;
    expect(await deliveryReportOf(run)).toMatchObject({
      sent: 4,
      opened: 0,
      clicked: 0,
      links: [],
    });
    await record(visit("open", 0, 0), visit("open", 1, 0, { userAgent: GMAIL }));
    await record(visit("open", 1, 900), visit("open", 0, 900));
    await record(visit("click", 2, 0, { userAgent: BARRACUDA }));
    await record(visit("click", 2, 20_000), visit("click", 3, 0), visit("click", 3, 9_000));
    await record(visit("click", 3, 40_000, { url: URL_B }));
    const expected = {
      opened: 2,
      opened_human: 1,
      clicked: 2,
      clicked_human: 2,
      links: [
        { url: URL_A, clicked: 2, clicked_human: 2 },
        { url: URL_B, clicked: 1, clicked_human: 1 },
      ],
    };
    expect(await deliveryReportOf(run)).toMatchObject(expected);
    const { links: _links, ...counts } = expected;
    const { body } = await run.owner.get(`${run.news.path}/broadcasts`);
    expect(body).toMatchObject({ broadcasts: [{ id: run.id, ...counts, unsubscribed: 0 }] });
    const twice = visit("click", 0, 0, { userAgent: BARRACUDA });
    await record(twice);
    await record(twice);
    expect(await deliveryReportOf(run)).toMatchObject({ clicked: 3, clicked_human: 2 });
  });

  it("count a mail once, and record its clicks without the URL, although its reader is erased", async () => {
    const run = await sentBroadcast(1);
    const { visit, record, owner, news, mails } = run;
    await record(visit("click", 0, 0));
    const erasure = { email: mails[0]?.to_email };
    expect((await owner.post(`${news.path}/erasures`, erasure)).status).toBe(204);
    for (let time = 0; time < 3; time++) await record(visit("click", 0, 10));
    const once = { clicked: 1, clicked_human: 1 };
    expect(await deliveryReportOf(run)).toMatchObject(once);
    const clicks = await allRows("select url from email_clicks where log_id = ?", mails[0]?.id);
    expect(clicks).toEqual(Array.from({ length: 4 }, () => ({ url: "" })));
  });

  it("write two additional rows for a first open, one for a first click, and none for later ones", async () => {
    const run = await sentBroadcast(3);
    const { visit, record } = run;
    const costs = async () => [
      await record(visit("open", 0, 0)),
      await record(visit("open", 0, 9_000)),
      await record(visit("click", 0, 20_000)),
      await record(visit("click", 0, 60_000)),
      await record(visit("open", 1, 0), visit("open", 2, 0)),
    ];
    const counted = await costs();
    expect((await deliveryReportOf(run)).opened).toBe(3);
    const other = await sentBroadcast(3);
    await allRows(
      "update log_entries set broadcast_id = null where hex(id) in (select value from json_each(?))",
      JSON.stringify(other.mails.map(({ id }) => id.replaceAll("-", "").toUpperCase())),
    );
    const plain = [
      await other.record(other.visit("open", 0, 0)),
      await other.record(other.visit("open", 0, 9_000)),
      await other.record(other.visit("click", 0, 20_000)),
      await other.record(other.visit("click", 0, 60_000)),
      await other.record(other.visit("open", 1, 0), other.visit("open", 2, 0)),
    ];
    expect(counted.map((rows, n) => rows - (plain[n] ?? 0))).toEqual([2, 0, 1, 0, 2]);
    expect(await deliveryReportOf(other)).toMatchObject({ opened: 0, clicked: 0, links: [] });
  });

  it("match the log every night, regardless of the order of batches, including bursts", async () => {
    const run = await sentBroadcast(4); // nobody visits the last mail
    let seed = 7;
    const draw = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const links = [URL_A, URL_B, `${URL_B}/c`];
    for (let batch = 0; batch < 30; batch++) {
      const events = Array.from({ length: 1 + draw(3) }, () =>
        run.visit(draw(4) === 0 ? "open" : "click", draw(3), draw(40) * 700, {
          url: links[draw(3)] ?? "",
          userAgent: draw(4) === 0 ? BARRACUDA : "",
        }),
      );
      await run.record(...events);
      if (batch % 5 < 4) continue;
      await runScheduled(run.deps, EVERY_NIGHT);
      const clicks = `from email_clicks k where k.log_id in (select value from json_each(?))`;
      const ids = JSON.stringify(run.mails.map(({ id }) => id));
      const ofLinks = await allRows(
        `select url, count(distinct log_id) as clicked,
          count(distinct iif(class = 'human', log_id, null)) as clicked_human ${clicks} group by url order by 2 desc, 1`,
        ids,
      );
      const [all] = await allRows(
        `select count(distinct log_id) as clicked, count(distinct iif(class = 'human', log_id, null)) as clicked_human ${clicks}`,
        ids,
      );
      const [opens] = await allRows(
        "select count(*) as opened, coalesce(sum(opened_class = 'human'), 0) as opened_human from logged_mails where project_id = ? and opened_at is not null",
        run.news.id,
      );
      expect([batch, await deliveryReportOf(run)]).toMatchObject([
        batch,
        { ...all, ...opens, links: ofLinks },
      ]);
    }
    const marked = await allRows(
      "select 1 from email_clicks where class = 'scanner' and user_agent not like 'Barracuda%'",
    );
    expect(marked.length).toBeGreaterThan(3);
    await expectLists(run);
  });

  it("store the first hundred links and count the others, and delete links with their mails", async () => {
    const run = await sentBroadcast(4);
    const { visit, record } = run;
    const click = (mail: number, n: number) =>
      visit("click", mail, n * 5_000, { url: `${URL_B}/${n}` });
    await record(...Array.from({ length: 80 }, (_, n) => click(0, n)));
    await record(...Array.from({ length: 80 }, (_, n) => click(1, n + 30)));
    await record(click(2, 200), click(3, 201));
    const kept = await deliveryReportOf(run);
    expect([kept.clicked, kept.clicked_human, kept.links.length]).toEqual([4, 4, 100]);
    expect(kept.links.filter(({ clicked }) => clicked === 2)).toHaveLength(50);
    const made = await run.owner.post(`${run.news.path}/api-keys`, { name: "later" });
    const later = run.service.withKey(String(made.body["key"])); // by then the session is over
    run.clock.aheadMs += 91 * DAY;
    await runScheduled(run.deps, EVERY_NIGHT);
    expect(await deliveryReportOf({ ...run, owner: later })).toMatchObject({
      clicked: 4,
      clicked_human: 4,
      links: [],
    });
    expect(await allRows("select 1 from broadcast_links where broadcast_id = ?", run.id)).toEqual(
      [],
    );
  });

  it("keep the links of a broadcast that was a draft for a long time as long as its mails", async () => {
    const run = await draftWorld(1);
    const { owner, news, clock } = run;
    clock.aheadMs -= 100 * DAY;
    const { id } = (await owner.post<{ id: string }>(`${run.one}/duplicate`, {})).body;
    clock.aheadMs += 100 * DAY;
    const key = String((await owner.post(`${news.path}/api-keys`, { name: "later" })).body["key"]);
    expect((await owner.post(`${run.at}/${id}/start`, ANYWAY)).status).toBe(202);
    await run.pass(AFTER_UNDO_MS);
    const [mail] = await news.logs();
    const at = run.deps.now() + 60_000;
    await recordEvents(run.deps, [trackingEvent("click", mail?.id ?? "", at)]);
    const links = async () =>
      (await deliveryReportOf({ owner: run.service.withKey(key), news, id })).links.map(
        ({ url }) => url,
      );
    await runScheduled(run.deps, EVERY_NIGHT);
    expect(await links()).toEqual([URL_A]);
    clock.aheadMs += 91 * DAY;
    await runScheduled(run.deps, EVERY_NIGHT);
    expect(await links()).toEqual([]);
  });
});

describe("the unsubscribes of a broadcast", () => {
  it("count subscribers who leave through its link once, even if a link is forged", async () => {
    const run = await sentBroadcast(3);
    const { news, owner, service } = run;
    const mails = await receivedMessages({ from: news.from });
    const links = mails.map(({ text }) => {
      const link = /List-Unsubscribe: <([^>]+)>/i.exec(text.replace(/\r\n\s+/g, ""))?.[1] ?? "";
      return new URL(link).pathname;
    });
    const [first = "", second = "", third = ""] = links;
    for (const link of links) expect(link.endsWith(`/${run.id}`)).toBe(true);
    const left = async () => (await deliveryReportOf(run)).unsubscribed;
    const post = (path: string, body = "List-Unsubscribe=One-Click") =>
      service.fetch(path, {
        method: "POST",
        body,
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
    expect((await post(first)).status).toBe(200);
    expect((await service.fetch(first)).status).toBe(200);
    expect(await left()).toBe(1);
    const [who] = await reactorsOf(run, "unsubscribed");
    expect(who?.subscriber_id).toBe(first.split("/").at(-2));
    expect(await reactorsOf(run, "complained")).toEqual([]);

    const back = () =>
      allRows("update subscribers set status = 'active' where project_id = ?", news.id);
    await back();
    await post(first);
    expect(await left()).toBe(1); // left by it before

    const stranger = await service.newOwner();
    const { id: theirs } = await stranger.newProject();
    const own = second.slice(0, second.lastIndexOf("/"));
    for (const end of ["", "/nonsense", `/${theirs}`, `/${news.id}`]) {
      await back();
      expect((await post(own + end)).status).toBe(200);
      const [row] = await allRows(
        "select status, left_by from subscribers where id = ?",
        own.split("/").at(-1) ?? "",
      );
      expect([end, row]).toEqual([end, { status: "unsubscribed", left_by: null }]);
    }
    expect(await left()).toBe(1);
    await back();
    run.service.d1.reset();
    await post(own);
    const plain = run.service.d1.rowsWritten;
    run.service.d1.reset();
    await post(third);
    expect(run.service.d1.rowsWritten).toBe(plain + 1);
    expect(await left()).toBe(2);
    expect((await owner.get(`/projects/${theirs}/broadcasts/${run.id}/ledger`)).status).not.toBe(
      200,
    );
  });
});

describe("the complaints of a broadcast", () => {
  it("are kept when it is resumed", async () => {
    const run = await scenario(3);
    await run.work();
    const [mail] = await run.news.logs();
    await handleReports(run.deps, run.news.id, [
      complaintReport(mail?.to_email ?? "", mail?.id ?? ""),
    ]);
    await allRows("update broadcasts set state = 'paused' where id = ?", run.id);
    expect(await deliveryReportOf(run)).toMatchObject({ complaints: 1, complained: 1 });
    expect(await reactorsOf(run, "complained")).toMatchObject([{ email: mail?.to_email }]);
    expect(await reactorsOf(run, "unsubscribed")).toEqual([]);
    expect((await run.owner.post(`${run.news.path}/broadcasts/${run.id}/resume`)).status).toBe(200);
    expect(await deliveryReportOf(run)).toMatchObject({ complaints: 0, complained: 1 });
  });
});
