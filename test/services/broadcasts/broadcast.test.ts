import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { pausesBetweenPolls } from "../../../src/services/broadcasts/wait-for-broadcast.ts";
import {
  ASYNC,
  expectNobodyLost,
  hasNobodyTwice,
  isRecord,
  manualService,
  newNewsletter,
  runUntilDeath,
  scenario,
  type DeathPoint,
  type Progress,
  type Scenario,
} from "../../support/broadcasting.ts";
import { waitForMessages } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import { EVERY_MINUTE } from "../../support/times.ts";

/** The service as deployed: its queue wakes the real senders. */
const live = createService();

/** Returns the id of the only broadcast of a project. */
const idOf = async (project: { id: string }) =>
  (await allRows<{ id: string }>("select id from broadcasts where project_id = ?", project.id))[0]
    ?.id ?? "";

describe("POST /projects/{id}/broadcast", async () => {
  const owner = await live.newOwner();

  it("sends to every active subscriber, waits for the end and counts the outcomes", async () => {
    const news = await newNewsletter(live, owner);
    await news.subscribe(30);
    await news.subscribe(2, (n) => `rcpt.550.5.1.1.b${n}.${news.from}`);
    await news.subscribe(2, (n) => `data.554.5.6.0.f${n}.${news.from}`);
    await news.subscribe(3, (n) => `u${n}.${news.from}`, "unsubscribed");
    await news.subscribe(3, (n) => `p${n}.${news.from}`, "pending");
    await owner.post(`${news.path}/send`, {
      to: `rcpt.550.5.1.1.b0.${news.from}`,
      subject: "x",
      html_body: "y",
    });
    const answer = await news.start();
    expect(answer.status).toBe(200);
    // gzip would buffer the white space
    expect(answer.headers.get("Content-Encoding")).toBe("identity");
    expect(answer.body).not.toHaveProperty("error");
    expect(answer.body).toMatchObject({
      sent: 30,
      failed: 2,
      bounced: 1,
      suppressed: 1,
      state: "done",
    });
    const received = await news.received();
    expect(received.toSorted()).toEqual(
      Array.from({ length: 30 }, (_, n) => `s${n}.${news.from}`).toSorted(),
    );
    expect((await news.logs()).filter(({ broadcast_id: id }) => id !== null)).toHaveLength(34);
    expect(await news.stats()).toMatchObject({ sent: 30, failed: 2, bounced: 2, suppressed: 1 });
  });

  it("fills in each subscriber's variables, unsubscribe link, tracked links and pixel", async () => {
    const news = await newNewsletter(live, owner);
    await news.subscribe(3);
    await news.start();
    const [first] = await waitForMessages({ from: news.from }, 3);
    const mail = await PostalMime.parse(first?.raw ?? "");
    const to = mail.to?.[0]?.address ?? "";
    const entry = (await news.logs()).find(({ to_email: email }) => email === to);
    const name = `n${/^s(\d+)/.exec(to)?.[1]}`;
    expect(mail.subject).toBe(`For ${name}`);
    expect(mail.messageId).toBe(`<${entry?.id}@postrider.test>`);
    expect(mail.html).toContain(`/t/${entry?.id}.gif`);
    const link =
      /href="(https:\/\/mail\.postrider\.test\/c\/[^"]+)"/.exec(mail.html ?? "")?.[1] ?? "";
    const encoded = link.split("/").at(-1)?.split(".")[0] ?? "";
    expect(atob(encoded.replaceAll("-", "+").replaceAll("_", "/"))).toBe(
      `https://a.test/${name}?x=1&y=2`,
    );
    expect(mail.html).toMatch(
      new RegExp(
        `href="https://mail.postrider.test/unsubscribe/${news.id}/[0-9a-f-]+/${entry?.broadcast_id}"`,
      ),
    );
    expect(mail.text).toContain(`/unsubscribe/${news.id}/`);
    expect(mail.html).not.toContain("[[");
    expect(mail.text).not.toContain("[[");
    expect(mail.headers).toContainEqual(expect.objectContaining({ key: "list-unsubscribe-post" }));
  });

  it("answers 202 immediately with Prefer: respond-async and shows its progress", async () => {
    const news = await newNewsletter(live, owner);
    await news.subscribe(20);
    const answer = await news.start(ASYNC);
    expect(answer).toMatchObject({ status: 202, body: { broadcast_id: expect.any(String) } });
    await waitForMessages({ from: news.from }, 20);
    const list = await owner.get<{ broadcasts: Progress[] }>(`${news.path}/broadcasts`);
    expect(list.body).toMatchObject({
      broadcasts: [{ id: answer.body["broadcast_id"] }],
      total: 1,
    });
    const beyond = await owner.get(`${news.path}/broadcasts?limit=1&offset=1`);
    expect(beyond.body).toEqual({ broadcasts: [], total: 1 });
  });

  it("reports in the response body that the service failed after the first outcome", async () => {
    const { service } = manualService();
    const owner = await service.newOwner();
    const news = await newNewsletter(service, owner);
    await news.subscribe(1);
    let looks = 0;
    let seenFrom = Number.POSITIVE_INFINITY;
    service.d1.before = ([sql = ""]) => {
      if (!sql.startsWith('select "state", "reasons", planned_id')) return;
      looks += 1;
      if (looks > seenFrom) throw new Error("D1 is away");
      if (looks > 1) return;
      const sent = "update broadcasts set sent = 1 where project_id = ?";
      void allRows(sent, news.id).then(() => (seenFrom = looks + 1));
    };
    const answer = await news.start();
    expect(answer).toMatchObject({ status: 200, body: { error: "internal error" } });
  });

  it("waits without reading the bodies and answers after a pause", async () => {
    const { service } = manualService();
    const owner = await service.newOwner();
    const news = await newNewsletter(service, owner);
    let looks = 0;
    const third = Promise.withResolvers<void>();
    service.d1.before = ([sql = ""]) => {
      if (sql.startsWith('select "state", "reasons", planned_id') && ++looks === 3) third.resolve();
    };
    const answer = news.start();
    await third.promise;
    expect(await owner.post(`${news.path}/broadcasts/${await idOf(news)}/pause`)).toMatchObject({
      status: 200,
    });
    const before = looks;
    expect((await answer).body).toMatchObject({ sent: 0, state: "paused", error: null });
    expect(looks - before).toBeLessThanOrEqual(2);
  });

  it("notices the end at most 100 ms or 1 % late, with at most 700 reads an hour", () => {
    let elapsedMs = 0;
    let looks = 0;
    for (const pauseMs of pausesBetweenPolls()) {
      expect(pauseMs).toBeLessThan(Math.max(50, elapsedMs * 0.011) + 0.001);
      elapsedMs += pauseMs;
      looks += 1;
      if (elapsedMs < 3_600_000) expect(looks).toBeLessThanOrEqual(710);
      if (elapsedMs > 20 * 3_600_000) break;
    }
    expect(looks).toBeLessThan(995); // D1 allows an invocation 1,000 queries
  });

  it("ends immediately without a mail if there are no active subscribers", async () => {
    const news = await newNewsletter(live, owner);
    expect((await news.start()).body).toMatchObject({
      sent: 0,
      failed: 0,
      bounced: 0,
      suppressed: 0,
      state: "done",
    });
  });

  it("finds links in templates whose variables contain markup", async () => {
    const news = await newNewsletter(live, owner);
    await owner.put(`${news.path}/templates/${news.templateId}`, {
      html_body: '{{{metadata.html}}}<a {{#if name}}href="https://b.test/"{{/if}}>b</a>',
    });
    await news.subscribe(1);
    await live.env.DB.prepare("update subscribers set metadata = ? where project_id = ?")
      .bind(JSON.stringify({ html: '<a href="https://c.test/">c</a>' }), news.id)
      .run();
    await news.start();
    const [mail] = await waitForMessages({ from: news.from }, 1);
    const html = (await PostalMime.parse(mail?.raw ?? "")).html ?? "";
    expect(html.match(/\/c\/[0-9a-f-]{36}\//g)).toHaveLength(2);
    expect(html).not.toMatch(/https:\/\/[bc]\.test/);
  });

  it("answers 404 to an unknown template and 400 without settings", async () => {
    const news = await newNewsletter(live, owner);
    const unknown = { template_id: crypto.randomUUID() };
    expect((await owner.post(`${news.path}/broadcast`, unknown)).status).toBe(404);
    expect((await owner.post(`${news.path}/broadcast`, {})).status).toBe(400);
    await live.env.DB.prepare("update projects set smtp_host = null where id = ?")
      .bind(news.id)
      .run();
    expect((await news.start()).status).toBe(400);
  });
});

describe("a sender that dies", () => {
  it.each<[string, DeathPoint, number]>([
    ["before it claims its chunk", { at: "claim", when: "before" }, 0],
    ["after it claimed its chunk", { at: "claim", when: "after" }, 0],
    ["before its journal has the first mails", { at: "entry", when: "before" }, 0],
    ["before it hands over the first mails", { at: "entry", when: "after" }, 16],
    ["between SMTP and its journal", { at: "entry", when: "before", nth: 4 }, 16],
    ["between its journal and SMTP", { at: "entry", when: "after", nth: 9 }, 16],
    ["before it records outcomes", { at: "record", when: "before" }, 16],
    ["after it recorded outcomes", { at: "record", when: "after" }, 16],
    ["before it records the last outcomes", { at: "record", when: "before", nth: 2 }, 16],
    ["before it ends its chunk", { at: "end", when: "before" }, 0],
    ["after it ended its chunk", { at: "end", when: "after" }, 0],
  ])("%s loses nobody, mails nobody twice and forgets no outcome", async (_, point, most) => {
    const all = await scenario(230);
    const { news, id, run } = all;
    const noted = await runUntilDeath(all, point);
    await run();
    const unknown = await expectNobodyLost(all, 230);
    expect(unknown).toBeLessThanOrEqual(most);
    const rows = await allRows<{ id: string; to_email: string }>(
      `select s.id, m.to_email from logged_mails m join subscribers s on s.email = m.to_email
        where m.project_id = ?1 and s.project_id = ?1 and m.error = 'outcome unknown'`,
      news.id,
    );
    expect(rows).toHaveLength(unknown);
    expect(rows.filter((row) => noted.has(row.id))).toEqual([]);
    const counts = { sent: 230 - unknown, failed: unknown };
    expect(await news.progress(id)).toMatchObject({ state: "done", ...counts });
    expect(await news.stats()).toMatchObject({ total: 230, ...counts });
    const received = new Set(await news.received());
    const sent = (await news.logs()).filter(({ status }) => status === "sent");
    expect(sent.filter(({ to_email: email }) => !received.has(email))).toEqual([]);
  });

  it("leaves outcomes other than acceptance in its journal: a bounce suppresses, a deferral is tried again", async () => {
    const all = await scenario(4, async (news) => {
      await news.subscribe(1, () => `rcpt.550.5.1.1.bad.${news.from}`);
      await news.subscribe(1, () => `data.554.5.6.0.no.${news.from}`);
      await news.subscribe(1, () => `rcpt-once.451.4.7.1.later.${news.from}`);
    });
    const { news, id, owner, run, finish } = all;
    await runUntilDeath(all, { at: "record", when: "before" });
    expect(await news.logs()).toEqual([]);
    const nextAt = await run();
    expect(nextAt).toBeGreaterThan(Date.now() + 20_000);
    const counts = { failed: 1, bounced: 1, suppressed: 0 };
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 4, ...counts });
    const listed = await owner.get(`${news.path}/suppressions?search=rcpt.550`);
    expect(listed.body).toMatchObject({ total: 1 });
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 5, ...counts });
    expect(await expectNobodyLost(all, 7)).toBe(0);
  });

  it("records everything once D1 is back after a while, with no outcome unknown", async () => {
    const all = await scenario(230);
    const { service, news, id, finish } = all;
    let lost = 0;
    service.d1.before = () => {
      if (lost > 0 && lost < 6) {
        lost += 1;
        throw new Error("D1 is away");
      }
    };
    service.d1.after = (sql) => {
      if (!isRecord(sql) || lost > 0) return;
      lost = 1;
      throw new Error("the answer of D1 is lost");
    };
    await finish();
    expect(lost).toBe(6);
    expect(await expectNobodyLost(all, 230)).toBe(0);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 230, failed: 0 });
  });

  it("loses nobody when D1 stays away for longer than a record is repeated", async () => {
    const all = await scenario(230);
    const { service, news, id, run } = all;
    let isAway = false;
    service.d1.before = (sql) => {
      isAway ||= isRecord(sql);
      if (isAway) throw new Error("D1 is away");
    };
    await expect(run()).rejects.toThrow("D1 is away");
    await expect(run()).rejects.toThrow();
    service.d1.before = undefined;
    await run();
    const unknown = await expectNobodyLost(all, 230);
    expect(unknown).toBeLessThanOrEqual(16);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 230 - unknown });
  });
});

describe("the sender of a broadcast", () => {
  it("changes nothing when it is woken again and again", async () => {
    const { news, id, deps, work, run } = await scenario(120);
    await Promise.all([planBroadcast(deps, id), planBroadcast(deps, id)]);
    await Promise.all([work(), run(), run()]);
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 120 });
    expect((await news.received()).length).toBe(120);
    expect(await news.logs()).toHaveLength(120);
  });

  it.each([60, 0])(
    "is woken by the sweep when the message was lost, for %i subscribers",
    async (count) => {
      const { queued, clock, deps, news, id, work } = await scenario(count);
      queued.length = 0;
      clock.aheadMs += 60_000;
      await runScheduled(deps, EVERY_MINUTE);
      await work();
      expect(await news.progress(id)).toMatchObject({ state: "done", sent: count, failed: 0 });
      expect(await news.received()).toHaveLength(count);
    },
  );

  it("reaches everybody of more than one page once", async () => {
    const all = await scenario(1_001);
    await all.run();
    expect(await all.news.progress(all.id)).toMatchObject({ state: "done", sent: 1_001 });
    expect(await expectNobodyLost(all, 1_001)).toBe(0);
    expect(await all.news.received()).toHaveLength(1_001);
  });

  it("ends a run after about 500 D1 statements, and the next one goes on", async () => {
    const all = await scenario(50);
    const { service, deps, id, news, run } = all;
    await planBroadcast(deps, id);
    await allRows(
      `insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred)
        select ?1, '~' || id, '', '', 'pending', 1, '', '[]', json_array(json_object('id', id, 'error', '')), '[]'
        from subscribers where project_id = ?2`,
      id,
      news.id,
    );
    await allRows(
      "delete from broadcast_chunks where broadcast_id = ? and after_id not like '~%'",
      id,
    );
    let statements = 0;
    service.d1.before = (sql) => void (statements += sql.length);
    const nextAt = await run();
    service.d1.before = undefined;
    expect(nextAt).toBeLessThanOrEqual(deps.now());
    expect(statements).toBeGreaterThan(200);
    expect(statements).toBeLessThan(800); // the platform allows 1,000
    expect(await news.progress(id)).toMatchObject({ state: "sending" });
    await all.finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 50 });
    expect(await expectNobodyLost(all, 50)).toBe(0);
  });

  /** Acts while the first outcomes are recorded. Returns how many mails were there afterwards. */
  const actAtFirstRecord = async (
    { service, news, run }: Scenario,
    act: () => Promise<unknown>,
  ): Promise<number> => {
    let atAct = 0;
    service.d1.before = async (sql) => {
      if (!isRecord(sql)) return;
      service.d1.before = undefined;
      await act();
      atAct = (await news.received()).length;
    };
    await run();
    return atAct;
  };

  it("stops on a pause after the mails in flight, and a resume mails the rest", async () => {
    const all = await scenario(400);
    const { owner, news, id, run, finish } = all;
    const act = (action: string) => owner.post(`${news.path}/broadcasts/${id}/${action}`);
    const before = await actAtFirstRecord(all, () => act("pause"));
    const atPause = await news.progress(id);
    expect(atPause.state).toBe("paused");
    expect(atPause.sent).toBeLessThanOrEqual(before + 16);
    expect(atPause.sent).toBeLessThan(400);
    expect(await news.received()).toHaveLength(atPause.sent);
    await run();
    expect((await news.progress(id)).sent).toBe(atPause.sent);
    expect((await act("resume")).status).toBe(200);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 400 });
    expect(await expectNobodyLost(all, 400)).toBe(0);
    expect((await act("cancel")).status).toBe(409);
  });

  it("sends nothing more after a cancel and keeps the counts", async () => {
    const all = await scenario(400);
    const { owner, news, id, work } = all;
    const cancel = () => owner.post(`${news.path}/broadcasts/${id}/cancel`);
    const before = await actAtFirstRecord(all, cancel);
    await work();
    const received = await news.received();
    expect(await news.progress(id)).toMatchObject({ state: "cancelled", sent: received.length });
    expect(received.length).toBeLessThanOrEqual(before + 16);
    expect(received.length).toBeLessThan(400);
    expect(await news.logs()).toHaveLength(received.length);
    expect(await allRows("select * from broadcast_chunks where broadcast_id = ?", id)).toEqual([]);
  });

  it("stops on a pause of which only D1 tells it", async () => {
    const { service, news, id, run } = await scenario(400);
    service.d1.after = async (sql) => {
      if (!isRecord(sql)) return;
      service.d1.after = undefined;
      await allRows("update broadcasts set state = 'paused' where id = ?", id);
    };
    await run();
    const { state, sent } = await news.progress(id);
    expect(state).toBe("paused");
    expect(sent).toBeLessThan(400);
    expect(await news.received()).toHaveLength(sent);
  });

  it("skips whoever unsubscribes or is suppressed while it runs, after at most four seconds", async () => {
    const { service, clock, news, id, run } = await scenario(200);
    service.d1.before = async (sql) => {
      if (!isRecord(sql)) return;
      service.d1.before = undefined;
      await allRows(
        "update subscribers set status = 'unsubscribed' where project_id = ? and email = ?",
        news.id,
        `s198.${news.from}`,
      );
      await allRows(
        "insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at) values (?, ?, ?, 'manual', '', 1, 1)",
        unique("s"),
        news.id,
        `s199.${news.from}`,
      );
      clock.aheadMs += 4_001;
    };
    await run();
    const received = await news.received();
    expect(received).toHaveLength(198);
    expect(received).not.toContain(`s198.${news.from}`);
    expect(received).not.toContain(`s199.${news.from}`);
    expect(await news.progress(id)).toMatchObject({
      state: "done",
      sent: 198,
      suppressed: 1,
      failed: 0,
    });
  });

  it("retries only deferred mails", async () => {
    const { service, queued, news, id, finish } = await scenario(20);
    await service.env.DB.prepare(
      "update subscribers set email = 'rcpt-once.451.4.7.1.' || email where project_id = ? and email like 's1.%'",
    )
      .bind(news.id)
      .run();
    await finish();
    expect(queued).toEqual([]);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 20, failed: 0 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("gives up after the fourth attempt with the server's last reply", async () => {
    const { service, news, id, finish } = await scenario(10);
    await service.env.DB.prepare(
      "update subscribers set email = 'rcpt.451.4.7.1.' || email where project_id = ? and email like 's1.%'",
    )
      .bind(news.id)
      .run();
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 9, failed: 1 });
    expect((await news.logs()).find(({ status }) => status === "failed")?.error).toContain("451");
  });

  it("pauses after the last attempt if no session opened, with the reason, and fails no recipient", async () => {
    const { service, owner, news, id, finish } = await scenario(150);
    const { port, log } = await startRawServer(FAULTS.closesAtConnect);
    const usePort = (smtpPort: number) =>
      service.env.DB.prepare("update projects set smtp_port = ? where id = ?")
        .bind(smtpPort, news.id)
        .run();
    await usePort(port);
    await finish("paused");
    expect(await news.progress(id)).toMatchObject({
      state: "paused",
      sent: 0,
      failed: 0,
      error: expect.stringContaining("the server closed the connection"),
    });
    expect((await log()).connections.length).toBeLessThan(30);
    expect(await news.logs()).toEqual([]);

    await usePort(CAPTURING.smtpPort);
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 150, failed: 0 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("fails the rest after the last attempt if sessions open and the server accepts no mail", async () => {
    const { service, news, id, finish } = await scenario(30);
    const { port } = await startRawServer(FAULTS.closesAtMail);
    await service.env.DB.prepare("update projects set smtp_port = ? where id = ?")
      .bind(port, news.id)
      .run();
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 0, failed: 30 });
    expect(await news.logs()).toHaveLength(30);
  });

  it("pauses the broadcast with the reason when the settings no longer allow sending", async () => {
    const { service, owner, news, id, run, finish } = await scenario(10);
    await service.env.DB.prepare("update projects set smtp_password_sealed = null where id = ?")
      .bind(news.id)
      .run();
    await run();
    expect(await news.progress(id)).toMatchObject({
      state: "paused",
      error: "SMTP settings are not configured",
    });
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(400);
    await owner.put(`${news.path}/smtp`, {
      smtp_host: "127.0.0.1",
      smtp_port: CAPTURING.smtpPort,
      smtp_user: "user",
      smtp_password: "pass",
    });
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 10, error: null });
  });
});
