import PostalMime from "postal-mime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import operations from "../../../docs/operations.md?raw";
import { parseEmailAddress, type EmailAddress } from "../../../src/mail/address.ts";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { composeMail } from "../../../src/services/mailing/compose.ts";
import { deliverAll } from "../../../src/services/mailing/deliver.ts";
import { NO_EXTRAS } from "../../../src/services/mailing/index.ts";
import type { Ledger } from "../../../src/services/mailing/ledger.ts";
import {
  ASYNC,
  expectNobodyLost,
  isRecord,
  manualService,
  newNewsletter,
  runSuccessor,
  runUntilDeath,
  scenario,
  withoutSample,
  type Scenario,
} from "../../support/broadcasting.ts";
import { draftWorld } from "../../support/drafting.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { ports } from "../../support/ports.ts";
import { allRows } from "../../support/rows.ts";
import { openLine } from "../../support/bulk-line.ts";
import { unique } from "../../support/service.ts";
import { FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import { settingsFor } from "../../support/smtp/sending.ts";
import { EVERY_MINUTE } from "../../support/times.ts";

const HEARTBEAT_MS = 5_000;

/** The time after which a run of a sender is over. */
const RUN_MS = 30_000;

/** Acts once, as soon as the first outcomes are in D1, before the sender hears of it. */
function afterFirstRecord({ service }: Pick<Scenario, "service">, act: () => unknown) {
  service.d1.after = async (sql) => {
    if (!isRecord(sql)) return;
    service.d1.after = undefined;
    await act();
  };
}

describe("a sender whose chunk another one has taken over", () => {
  it.each([
    ["outcomes", isRecord],
    [
      "the end of the chunk",
      (sql: string[]) => sql.some((text) => text.startsWith('delete from "broadcast_chunks"')),
    ],
  ])(
    "records nothing when it comes to %s, and the other one finishes from the journal",
    async (_, isMeant) => {
      const all = await scenario(10);
      const { service, news, id, run } = all;
      service.d1.before = async (sql) => {
        if (!isMeant(sql)) return;
        service.d1.before = undefined;
        await runSuccessor(all);
      };
      await run().catch((error: unknown) =>
        expect(error).toMatchObject({ code: "chunk_taken_over" }),
      );
      expect(service.d1.before).toBeUndefined();
      expect(await news.progress(id)).toMatchObject({ state: "done", sent: 10, failed: 0 });
      expect(await expectNobodyLost(all, 10)).toBe(0);
      expect(await news.stats()).toMatchObject({ total: 10, sent: 10, failed: 0 });
    },
  );

  it("hands over nothing more, and leaves no outcome of the other one changed", async () => {
    const all = await scenario(230);
    const { service, news, id, run } = all;
    afterFirstRecord(all, () =>
      allRows("update broadcast_chunks set lease_token = 'other' where broadcast_id = ?", id),
    );
    await expect(run()).rejects.toMatchObject({ code: "chunk_taken_over" });
    const recorded = await news.logs();
    expect(await run()).toBeUndefined(); // its journal belongs to a claim that holds no more
    expect(await news.logs()).toEqual(recorded);
    const { sent } = await news.progress(id);
    expect(recorded).toHaveLength(sent);
    const chunks = await allRows(
      "select state, lease_token from broadcast_chunks where broadcast_id = ?",
      id,
    );
    expect(chunks).toEqual([{ state: "claimed", lease_token: "other" }]);
    expect(service.d1.after).toBeUndefined();
  });
});

describe("a delivery", () => {
  afterEach(() => vi.useRealTimers());

  it("does not end before the write of a heartbeat", async () => {
    const { service } = manualService();
    const deps = await service.deps();
    const from = mailboxOf(`${unique("hb")}@postrider.test`);
    const to = mailboxOf(`${unique("to")}@postrider.test`);
    const facts = {
      logId: deps.newId(),
      to,
      subject: "s",
      tags: null,
      templateId: null,
      subscriberId: null,
      broadcastId: null,
    };
    const projectId = deps.newId();
    const addressing = { ...facts, projectId, from, extras: NO_EXTRAS, unsubscribe: undefined };
    const content = { subject: "s", html: "", text: "t" };
    const compose = async () => composeMail(deps, addressing, content);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let claims = 0;
    const written: string[] = [];
    const ledger: Ledger = {
      // A heartbeat starts when the mail has its outcome and nothing is left.
      autoPause: {
        note: () => void vi.advanceTimersByTime(HEARTBEAT_MS),
        mayGive: () => true,
        stopped: () => undefined,
      },
      hasMore: () => claims === 0,
      async advance(settled, _inHand, count) {
        if (count > 0) return ++claims === 1 ? [{ mail: facts, next: { compose } }] : [];
        await new Promise((resolve) => setTimeout(resolve, 100));
        written.push(...settled.map(({ outcome }) => outcome.main.status));
        return [];
      },
    };
    const line = openLine();
    const smtp = settingsFor(ports.smtpPlain, { host: "127.0.0.1" });
    await deliverAll(deps, { smtp, from, suppressOnAny5xx: false }, ledger, line);
    await line.pool.end();
    expect(written).toEqual(["sent"]);
    expect(await receivedMessages(to.address)).toHaveLength(1);
  });
});

function mailboxOf(address: string): { name: string; address: EmailAddress } {
  const parsed = parseEmailAddress(address);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return { name: "", address: parsed.address };
}

describe("a chunk", () => {
  it("is given back when the time of a run is up, and resumes where it stopped", async () => {
    const all = await scenario(200);
    const { deps, clock, id, news, run } = all;
    afterFirstRecord(all, () => (clock.aheadMs += RUN_MS));
    expect(await run()).toBeLessThanOrEqual(deps.now());
    const halfWay = await news.progress(id);
    expect(halfWay).toMatchObject({ state: "sending", failed: 0 });
    expect(halfWay.sent).toBeGreaterThan(0);
    expect(halfWay.sent).toBeLessThan(200);
    await run();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 200 });
    expect(await expectNobodyLost(all, 200)).toBe(0);
  });

  it("retries every deferred recipient, over as many groups as that takes", async () => {
    const all = await scenario(20, (news) =>
      news.subscribe(110, (n) => `rcpt-once.451.4.7.1.a${n}.${news.from}`),
    );
    const { id, news, finish } = all;
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 130, failed: 0 });
    expect(await expectNobodyLost(all, 130)).toBe(0);
  });

  it.each(["before", "after"] as const)(
    "loses nobody when its sender dies %s a record of more deferred recipients than a list holds",
    async (when) => {
      const all = await scenario(20, (news) =>
        news.subscribe(620, (n) => `rcpt-once.451.4.7.1.a${n}.${news.from}`),
      );
      const { id, news, run, finish } = all;
      await runUntilDeath(all, { at: "split", when });
      await run();
      const lists = await allRows<{ after_id: string; n: number }>(
        "select after_id, json_array_length(again) as n from broadcast_chunks where broadcast_id = ?",
        id,
      );
      const unknown = (await news.logs()).filter(({ error }) => error !== null).length;
      expect(unknown).toBeLessThanOrEqual(16);
      expect(lists.filter(({ after_id: key }) => key.startsWith("~"))).toHaveLength(1);
      expect(lists.reduce((sum, { n }) => sum + n, 0)).toBe(620 - unknown);
      await finish();
      const counts = { sent: 640 - unknown, failed: unknown };
      expect(await news.progress(id)).toMatchObject({ state: "done", ...counts });
      expect(await expectNobodyLost(all, 640)).toBe(unknown);
    },
  );

  it("loses nobody when its sender dies while it retries deferred recipients", async () => {
    const all = await scenario(20, (news) =>
      news.subscribe(110, (n) => `rcpt-once.451.4.7.1.a${n}.${news.from}`),
    );
    const { clock, id, news, run, finish } = all;
    await run();
    expect(await news.progress(id)).toMatchObject({ sent: 20, failed: 0 });
    clock.aheadMs += 31_000;
    await runUntilDeath(all, { at: "entry", when: "after", nth: 5 });
    await finish();
    const unknown = await expectNobodyLost(all, 130);
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(16);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 130 - unknown });
  });

  it("fails the rest without another connection when the server refuses the last attempt", async () => {
    const all = await scenario(140);
    const { id, news, finish } = all;
    const { port, log } = await startRawServer(FAULTS.closes421AtMail);
    await allRows("update projects set smtp_port = ? where id = ?", port, news.id);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 0, failed: 140 });
    const logs = await news.logs();
    expect(logs).toHaveLength(140);
    expect(new Set(logs.map(({ error }) => error?.includes("421")))).toEqual(new Set([true]));
    const { connections } = await log();
    expect(connections.length).toBeLessThan(140);
  });

  it("fails only the mails that cannot be rendered", async () => {
    const all = await scenario(50, async (news, owner) => {
      await owner.put(`${news.path}/templates/${news.templateId}`, {
        html_body: "<p>{{name}}{{#each metadata.list}}{{../metadata.big}}{{/each}}</p>",
      });
      const metadata = { list: Array.from({ length: 50 }, () => 1), big: "x".repeat(100_000) };
      await allRows(
        "update subscribers set metadata = ? where project_id = ? and email like 's7.%'",
        JSON.stringify(metadata),
        news.id,
      );
    });
    const { id, news, finish } = all;
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 49, failed: 1 });
    const [refused] = (await news.logs()).filter(({ status }) => status === "failed");
    expect(refused?.to_email).toMatch(/^s7\./);
    expect(refused?.error).toMatch(/output|too (?:long|large|big)|bytes/i);
  });
});

describe("a broadcast whose SMTP password cannot be opened", () => {
  it("pauses with the reason, and goes on when the settings are saved again", async () => {
    const all = await scenario(20);
    const { id, news, owner, run, finish } = all;
    const read = "select smtp_password_sealed as sealed from projects where id = ?";
    const [stored] = await allRows<{ sealed: string }>(read, news.id);
    const setSealed = (sealed?: string) =>
      allRows("update projects set smtp_password_sealed = ? where id = ?", sealed, news.id);
    await setSealed("v1.00000000.AAAA.AAAA");
    await run();
    expect(await news.progress(id)).toMatchObject({
      state: "paused",
      error: expect.stringContaining("ENCRYPTION_KEY_PREVIOUS"),
      sent: 0,
    });
    await setSealed(stored?.sealed);
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 20 });
  });
});

describe("a broadcast whose sender died", () => {
  const DEATH = { at: "entry", when: "after", nth: 9 } as const;

  it("logs the mails in flight when it resumes after a pause, and mails no recipient twice", async () => {
    const all = await scenario(230);
    const { id, news, owner, finish } = all;
    await runUntilDeath(all, DEATH);
    expect((await owner.post(`${news.path}/broadcasts/${id}/pause`)).status).toBe(200);
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    await finish();
    const unknown = await expectNobodyLost(all, 230);
    expect(unknown).toBeGreaterThan(0);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 230 - unknown });
  });

  it.each([
    ["", async () => {}],
    [
      ", even when the settings are gone",
      async ({ news }: Scenario) =>
        allRows("update projects set smtp_password_sealed = null where id = ?", news.id),
    ],
  ])("logs the mails in flight when it is cancelled%s", async (_name, meanwhile) => {
    const all = await scenario(230);
    const { deps, id, news, owner, queued, work } = all;
    await runUntilDeath(all, DEATH);
    await meanwhile(all);
    expect((await owner.post(`${news.path}/broadcasts/${id}/cancel`)).status).toBe(200);
    queued.length = 0;
    await runScheduled(deps, EVERY_MINUTE); // wakes the sender of a chunk that is still claimed
    await work();
    const received = await news.received();
    const logs = await news.logs();
    const unknown = logs.filter(({ error }) => error === "outcome unknown").length;
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(16);
    expect(received.every((to) => logs.some(({ to_email: email }) => email === to))).toBe(true);
    expect(await news.progress(id)).toMatchObject({
      state: "cancelled",
      sent: logs.length - unknown,
      failed: unknown,
    });
    expect(await allRows("select * from broadcast_chunks where broadcast_id = ?", id)).toEqual([]);
  });

  it("is planned to its end, each chunk once, when the planner dies after its write", async () => {
    const all = await scenario(1_200, withoutSample);
    const { id, news, run, service } = all;
    service.d1.after = (sql) => {
      if (sql.some((text) => text.includes("insert into broadcast_chunks")))
        throw new Error("the planner died here");
    };
    await expect(run()).rejects.toThrow("died");
    service.d1.after = undefined;
    await run();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1_200 });
    expect(await expectNobodyLost(all, 1_200)).toBe(0);
  });
});

describe("while a broadcast waits to retry", () => {
  const puttingOff = () =>
    scenario(30, (news) => news.subscribe(5, (n) => `rcpt-once.451.4.7.1.w${n}.${news.from}`));

  it("it can be paused and resumed, even when the message of the resume is lost", async () => {
    const all = await puttingOff();
    const { id, news, owner, queued, run, finish } = all;
    await run();
    expect((await owner.post(`${news.path}/broadcasts/${id}/pause`)).status).toBe(200);
    queued.length = 0;
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    queued.length = 0;
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 35, failed: 0 });
    expect(await expectNobodyLost(all, 35)).toBe(0);
  });

  it("a cancel keeps the sent mails and retries nothing", async () => {
    const all = await puttingOff();
    const { deps, clock, id, news, owner, run, work } = all;
    await run();
    expect((await owner.post(`${news.path}/broadcasts/${id}/cancel`)).status).toBe(200);
    clock.aheadMs += 3_600_000;
    await runScheduled(deps, EVERY_MINUTE);
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "cancelled", sent: 30, failed: 0 });
    expect(await news.received()).toHaveLength(30);
  });

  it("a subscriber who unsubscribes or is suppressed gets no retry", async () => {
    const all = await puttingOff();
    const { id, news, run, finish } = all;
    await run();
    const [left, hit] = [0, 1].map((n) => `rcpt-once.451.4.7.1.w${n}.${news.from}`);
    await allRows(
      "update subscribers set status = 'unsubscribed' where project_id = ? and email = ?",
      news.id,
      left,
    );
    await allRows(
      "insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at) values (?, ?, ?, 'manual', '', 1, 1)",
      unique("s"),
      news.id,
      hit,
    );
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 33, suppressed: 1 });
    const received = await news.received();
    expect(received).toHaveLength(33);
    expect(received).not.toContain(left);
    expect(received).not.toContain(hit);
  });
});

describe("while a broadcast runs", () => {
  it("a deleted subscriber gets no mail, and a changed address does", async () => {
    const all = await scenario(200);
    const { clock, id, news, run } = all;
    afterFirstRecord(all, async () => {
      const last = (n: number) => [news.id, `s${n}.${news.from}`];
      await allRows("delete from subscribers where project_id = ? and email = ?", ...last(198));
      await allRows(
        "update subscribers set email = 'new.' || email where project_id = ? and email = ?",
        ...last(199),
      );
      clock.aheadMs += 4_001; // the time for which a page is used
    });
    await run();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 199, failed: 0 });
    const received = await news.received();
    expect(received).toHaveLength(199);
    expect(received).toContain(`new.s199.${news.from}`);
    expect(received).not.toContain(`s198.${news.from}`);
  });

  it("a change of the server takes effect after the mails in flight", async () => {
    const all = await scenario(400);
    const { id, news, owner, run } = all;
    const from = `${unique("moved")}@postrider.test`;
    let changed: Promise<unknown> | undefined;
    afterFirstRecord(all, () => {
      changed = owner.put(`${news.path}/smtp`, {
        smtp_host: "127.0.0.1",
        smtp_port: ports.smtp,
        smtp_user: "user",
        smtp_password: "pass",
        from_email: from,
      });
    });
    await run();
    expect(await changed).toMatchObject({ status: 200 });
    await run();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 400, failed: 0 });
    const [before, after] = [await news.received(), await receivedMessages({ from })];
    expect(before.length + after.length).toBe(400);
    expect(after.length).toBeGreaterThan(0);
  });

  it("the deletion of its project ends it and leaves no row behind", async () => {
    const all = await scenario(400);
    const { deps, news, owner, run } = all;
    afterFirstRecord(all, () => owner.delete(news.path));
    await run().catch((error: unknown) =>
      expect(error).toMatchObject({ code: "chunk_taken_over" }),
    );
    const sent = (await news.received()).length;
    expect(sent).toBeLessThan(400);
    await run();
    for (let minute = 0; minute < 4; minute++) await runScheduled(deps, EVERY_MINUTE);
    expect(await news.logs()).toEqual([]);
    const [left] = await allRows<{ n: number }>(
      "select (select count(*) from broadcasts where project_id = ?1) + (select count(*) from project_purges where project_id = ?1) as n",
      news.id,
    );
    expect(left?.n).toBe(0);
    expect(await news.received()).toHaveLength(sent);
  });
});

describe("a broadcast that cannot start", () => {
  it("is answered 400 and leaves no broadcast behind", async () => {
    const { service } = manualService();
    const owner = await service.newOwner();
    const news = await newNewsletter(service, owner);
    await owner.put(`${news.path}/templates/${news.templateId}`, { html_body: "x", subject: "" });
    for (const [subject, error] of [
      ["{{#if", /^subject: /],
      ["{{> nowhere}}", /^subject: /],
      [" ", /^subject: is required$/], // neither given nor in the template
      ["", /^subject: is required$/],
    ] as const)
      expect(
        await owner.post(
          `${news.path}/broadcast`,
          { template_id: news.templateId, subject },
          ASYNC,
        ),
      ).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } });
    expect((await owner.get(`${news.path}/broadcasts`)).body).toEqual({ broadcasts: [], total: 0 });
  });
});

describe("the text part of a broadcast whose template has none", () => {
  it.each([
    ["<p>Hello {{name}}</p>", /^Hello n0/],
    ['<div style="display:none">{{#if name}}</div>Hello {{name}}{{/if}}', /^Hello n0/],
    ['<p style="{{metadata.style}}">Hello {{name}}</p>', /^Hello n0/],
  ])("%s contains the visible text", async (html, text) => {
    const all = await scenario(1, (news, owner) =>
      owner.put(`${news.path}/templates/${news.templateId}`, { html_body: html }),
    );
    const { id, news, finish } = all;
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1, failed: 0 });
    const [mail] = await receivedMessages({ from: news.from });
    expect((await PostalMime.parse(mail?.raw ?? "")).text).toMatch(text);
  });
});

describe("a database that went back in time", () => {
  it("mails nobody of a broadcast, schedule or batch that it remembers, after the statements of the document", async () => {
    const sendAt = new Date(Date.now() + 5 * 60_000).toISOString();
    const world = await draftWorld(3, { send_at: sendAt });
    const { news, owner, look, pass } = world;
    expect((await world.start()).status).toBe(202);
    const started = await news.start(ASYNC);
    const running = String(started.body["broadcast_id"]);
    await planBroadcast(world.deps, running);
    const recipients = [{ to: `b.${news.from}`, data: {} }];
    const batch = { template_id: news.templateId, recipients };
    const { body } = await owner.post(`${news.path}/send/batch`, batch, ASYNC);

    const [, statements = ""] =
      /execute postrider --remote --command "(\s+delete [^"]+)"/.exec(operations) ?? [];
    const texts = statements.split(";").map((text) => text.replaceAll(/\s+/g, " ").trim());
    expect(texts).toHaveLength(5);
    for (const text of texts) await allRows(text);
    for (let minute = 0; minute < 10; minute++) await pass(60_000);

    expect(await news.received()).toEqual([]);
    const error = expect.stringContaining("the database was restored to an earlier time");
    expect(await look()).toMatchObject({ state: "draft", error, starts_at: null });
    expect(await news.progress(running)).toMatchObject({ state: "paused", error, sent: 0 });
    const read = await owner.get(`${news.path}/batches/${String(body["batch_id"])}`);
    expect(read.body).toMatchObject({ state: "done", recipients: 1, sent: 0 });
    expect((await owner.post(`${news.path}/broadcasts/${running}/cancel`)).status).toBe(200);
  });
});
