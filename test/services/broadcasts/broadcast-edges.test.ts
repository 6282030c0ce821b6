import PostalMime from "postal-mime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import operations from "../../../docs/operations.md?raw";
import { parseEmailAddress, type EmailAddress } from "../../../src/mail/address.ts";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { sendChunks } from "../../../src/services/mailing/index.ts";
import { composeMail } from "../../../src/services/mailing/compose.ts";
import { deliverAll } from "../../../src/services/mailing/deliver.ts";
import { NO_EXTRAS } from "../../../src/services/mailing/index.ts";
import type { Ledger } from "../../../src/services/mailing/ledger.ts";
import { TURN_LIMITS } from "../../../src/services/mailing/sources/broadcast/attempts.ts";
import {
  ASYNC,
  expectNobodyLost,
  isSettle,
  manualService,
  newNewsletter,
  plannedChunk,
  roomForTwo,
  scenario,
  stalledApp,
  type Scenario,
  withoutSample,
} from "../../support/broadcasting.ts";
import { draftWorld } from "../../support/drafting.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { ports } from "../../support/ports.ts";
import { newLine } from "../../support/sending-line.ts";
import { unique, type Service } from "../../support/service.ts";
import { FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import { settingsFor } from "../../support/smtp/sending.ts";
import { EVERY_MINUTE } from "../../support/times.ts";
import { deathOfWorker } from "../../support/refusals.ts";

const LEASE_MS = 20_000;
const HEARTBEAT_MS = 5_000;
const WORK_MS = 10 * 60_000;

/**
 * A worker writes the claim of the chunk, the claim of its first group, then outcomes together with
 * the next claim.
 */
const FIRST_GROUP = 2;
const FIRST_SETTLE = 3;

/** Kills the worker of a chunk at a settle, before it can retry. */
async function dieAtSettle({ service, deps }: Scenario, chunk: { afterId: string }, which: number) {
  let settles = 0;
  service.d1.before = (sql) => {
    if (isSettle(sql) && ++settles === which) throw deathOfWorker("the worker died here");
  };
  const { broadcastId } = chunk as { broadcastId: string; afterId: string };
  await expect(sendChunks(deps, { broadcastId, afterId: chunk.afterId })).rejects.toThrow("died");
  service.d1.before = undefined;
}

/** Acts right after the first settle of a broadcast; `done` waits for the action. */
function afterFirstSettle(service: Service, act: () => Promise<unknown>) {
  let acted: Promise<unknown> | undefined;
  service.d1.after = (sql) => {
    if (isSettle(sql)) acted ??= act();
  };
  return async () => {
    service.d1.after = undefined;
    await acted;
  };
}

const run = (service: Service, sql: string, ...values: unknown[]) =>
  service.env.DB.prepare(sql)
    .bind(...values)
    .run();

describe("a worker that loses its lease while it works", () => {
  afterEach(() => vi.useRealTimers());

  it.each([
    ["before it records the mails it sent", FIRST_SETTLE, "before"],
    ["before it sends the mails it claimed", FIRST_GROUP, "after"],
  ] as const)("%s mails and logs no recipient twice", async (_name, nth, when) => {
    const all = await scenario(230, roomForTwo);
    const { deps, clock, id, news } = all;
    const chunk = await plannedChunk(all);
    const meanwhile = async () => {
      clock.aheadMs += LEASE_MS;
      await sendChunks(deps, chunk);
    };
    const late = stalledApp(all, { nth, when, meanwhile });
    await expect(sendChunks(late, chunk)).rejects.toMatchObject({ code: "chunk_taken_over" });
    const unknown = await expectNobodyLost(all, 230);
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(16);
    expect(await news.progress(id)).toMatchObject({
      state: "done",
      sent: 230 - unknown,
      failed: unknown,
    });
    expect((await news.received()).length).toBeGreaterThanOrEqual(230 - unknown);
    expect(await news.stats()).toMatchObject({ total: 230, sent: 230 - unknown, failed: unknown });
  });

  it("sends nothing more after a heartbeat reports the loss", async () => {
    const all = await scenario(230, roomForTwo);
    const { deps, clock, news } = all;
    const chunk = await plannedChunk(all);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const meanwhile = async () => {
      clock.aheadMs += LEASE_MS;
      await sendChunks(deps, chunk);
      vi.advanceTimersByTime(HEARTBEAT_MS);
    };
    const late = stalledApp(all, { nth: FIRST_GROUP, when: "after", meanwhile });
    await expect(sendChunks(late, chunk)).rejects.toMatchObject({ code: "chunk_taken_over" });
    const unknown = await expectNobodyLost(all, 230);
    // The connections finish the mails they already hold, not the rest of the group.
    expect((await news.received()).length).toBeLessThanOrEqual(230 - unknown + 8);
  });

  it("keeps its lease through a slow group by heartbeats", async () => {
    const all = await scenario(20);
    const { deps, clock, id, news } = all;
    const chunk = await plannedChunk(all);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const almostExpires = async () => {
      clock.aheadMs += LEASE_MS - 1_000;
      vi.advanceTimersByTime(HEARTBEAT_MS);
    };
    const isTriedAgain = async () => {
      clock.aheadMs += LEASE_MS - 1_000;
      await sendChunks(deps, chunk);
    };
    const slow = stalledApp(
      all,
      { nth: FIRST_GROUP, when: "after", meanwhile: almostExpires },
      { nth: FIRST_GROUP + 1, when: "after", meanwhile: isTriedAgain },
    );
    await sendChunks(slow, chunk, { ...TURN_LIMITS, workMs: WORK_MS });
    expect(await expectNobodyLost(all, 20)).toBe(0);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 20 });
  });

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
      hasMore: () => claims === 0,
      async advance(settled, _inHand, count) {
        if (count > 0) return ++claims === 1 ? [{ mail: facts, next: { compose } }] : [];
        await new Promise((resolve) => setTimeout(resolve, 100));
        written.push(...settled.map(({ outcome }) => outcome.main.status));
        return [];
      },
    };
    const line = await newLine(service);
    // A heartbeat starts when the session is over, after the mail is settled and nothing is left.
    line.pool.leave = async (session) => {
      vi.advanceTimersByTime(HEARTBEAT_MS);
      await session.quit();
    };
    const smtp = settingsFor(ports.smtpPlain, { host: "127.0.0.1" });
    await deliverAll(deps, { smtp, from, suppressOnAny5xx: false }, ledger, line);
    await line.close();
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
  it("returns to the queue when the worker's time is up, and resumes where it stopped", async () => {
    const all = await scenario(200);
    const { deps, clock, id, news, queued, service, work } = all;
    const chunk = await plannedChunk(all);
    const done = afterFirstSettle(service, async () => void (clock.aheadMs += WORK_MS));
    await sendChunks(deps, chunk);
    await done();
    const halfWay = await news.progress(id);
    expect(halfWay).toMatchObject({ state: "sending", failed: 0 });
    expect(halfWay.sent).toBeGreaterThan(0);
    expect(halfWay.sent).toBeLessThan(200);
    expect(queued).toEqual([chunk]);
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 200 });
    expect(await expectNobodyLost(all, 200)).toBe(0);
  });

  it("retries every deferred recipient, over as many groups as that takes", async () => {
    const all = await scenario(20, (news) =>
      news.subscribe(110, (n) => `rcpt-once.451.4.7.1.a${n}.${news.from}`),
    );
    const { deps, id, news, settle } = all;
    await planBroadcast(deps, id);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 130, failed: 0 });
    expect(await expectNobodyLost(all, 130)).toBe(0);
  });

  it("loses no recipient when a worker dies while it retries deferred ones", async () => {
    const all = await scenario(20, (news) =>
      news.subscribe(110, (n) => `rcpt-once.451.4.7.1.a${n}.${news.from}`),
    );
    const { deps, clock, id, news, settle } = all;
    const chunk = await plannedChunk(all);
    await sendChunks(deps, chunk);
    expect(await news.progress(id)).toMatchObject({ sent: 20, failed: 0 });
    clock.aheadMs += 30_000;
    await dieAtSettle(all, chunk, 2);
    await settle();
    const unknown = await expectNobodyLost(all, 130);
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(16);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 130 - unknown });
  });

  it("fails the rest without another connection when the server refuses the last attempt", async () => {
    const all = await scenario(140);
    const { deps, id, news, service, settle } = all;
    const { port, log } = await startRawServer(FAULTS.closes421AtMail);
    await run(service, "update projects set smtp_port = ? where id = ?", port, news.id);
    await planBroadcast(deps, id);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 0, failed: 140 });
    const logs = await news.logs();
    expect(logs).toHaveLength(140);
    expect(new Set(logs.map(({ error }) => error?.includes("421")))).toEqual(new Set([true]));
    const { connections } = await log();
    expect(connections.length).toBeLessThan(140);
  });

  it("fails only the mails that cannot be rendered", async () => {
    const all = await scenario(50, async (news, owner, service) => {
      await owner.put(`${news.path}/templates/${news.templateId}`, {
        html_body: "<p>{{name}}{{#each metadata.list}}{{../metadata.big}}{{/each}}</p>",
      });
      const metadata = { list: Array.from({ length: 50 }, () => 1), big: "x".repeat(100_000) };
      await run(
        service,
        "update subscribers set metadata = ? where project_id = ? and email like 's7.%'",
        JSON.stringify(metadata),
        news.id,
      );
    });
    const { deps, id, news, settle } = all;
    await planBroadcast(deps, id);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 49, failed: 1 });
    const [refused] = (await news.logs()).filter(({ status }) => status === "failed");
    expect(refused?.to_email).toMatch(/^s7\./);
    expect(refused?.error).toMatch(/output|too (?:long|large|big)|bytes/i);
  });
});

describe("a broadcast whose SMTP password cannot be opened", () => {
  it("pauses with the reason, and goes on when the settings are saved again", async () => {
    const all = await scenario(20);
    const { deps, id, news, owner, service, settle } = all;
    const read = "select smtp_password_sealed as sealed from projects where id = ?";
    const stored = await service.env.DB.prepare(read).bind(news.id).first<{ sealed: string }>();
    const setSealed = (sealed?: string) =>
      run(service, "update projects set smtp_password_sealed = ? where id = ?", sealed, news.id);
    await setSealed("v1.00000000.AAAA.AAAA");
    await sendChunks(deps, await plannedChunk(all));
    expect(await news.progress(id)).toMatchObject({
      state: "paused",
      error: expect.stringContaining("ENCRYPTION_KEY_PREVIOUS"),
      sent: 0,
    });
    await setSealed(stored?.sealed);
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 20 });
  });
});

describe("a broadcast whose worker died", () => {
  it("logs the mails in flight when it resumes after a pause, and mails no recipient twice", async () => {
    const all = await scenario(230);
    const { id, news, owner, settle } = all;
    await dieAtSettle(all, await plannedChunk(all), 2);
    expect((await owner.post(`${news.path}/broadcasts/${id}/pause`)).status).toBe(200);
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    await settle();
    const unknown = await expectNobodyLost(all, 230);
    expect(unknown).toBeGreaterThan(0);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 230 - unknown });
  });

  it.each([
    ["", async () => {}],
    [
      ", even when the settings are gone",
      async ({ service, news }: Scenario) =>
        run(service, "update projects set smtp_password_sealed = null where id = ?", news.id),
    ],
  ])("logs the mails in flight when it is cancelled%s", async (_name, meanwhile) => {
    const all = await scenario(230);
    const { deps, clock, id, news, owner, service, work } = all;
    await dieAtSettle(all, await plannedChunk(all), 2);
    await meanwhile(all);
    expect((await owner.post(`${news.path}/broadcasts/${id}/cancel`)).status).toBe(200);
    clock.aheadMs += LEASE_MS;
    await runScheduled(deps, EVERY_MINUTE);
    await work();
    const received = await news.received();
    const logs = await news.logs();
    const unknown = logs.filter(({ error }) => error === "outcome unknown").length;
    expect(unknown).toBeGreaterThan(0);
    expect(received.every((to) => logs.some(({ to_email: email }) => email === to))).toBe(true);
    expect(await news.progress(id)).toMatchObject({
      state: "cancelled",
      sent: logs.length - unknown,
      failed: unknown,
    });
    const left = await service.env.DB.prepare(
      "select count(*) as n from broadcast_chunks where broadcast_id = ?",
    )
      .bind(id)
      .first<{ n: number }>();
    expect(left?.n).toBe(0);
  });

  it("is planned to its end, each chunk once, when the planner dies after its write", async () => {
    const all = await scenario(1_200, withoutSample);
    const { deps, id, news, queued, service, settle } = all;
    service.d1.after = (sql) => {
      if (sql.some((text) => text.includes("insert into broadcast_chunks")))
        throw new Error("the planner died here");
    };
    await expect(planBroadcast(deps, id)).rejects.toThrow("died");
    service.d1.after = undefined;
    queued.length = 0;
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1_200 });
    expect(await expectNobodyLost(all, 1_200)).toBe(0);
  });
});

describe("while a broadcast waits to retry", () => {
  const puttingOff = () =>
    scenario(30, (news) => news.subscribe(5, (n) => `rcpt-once.451.4.7.1.w${n}.${news.from}`));

  it("it can be paused and resumed, even when the messages of the resume are lost", async () => {
    const all = await puttingOff();
    const { deps, id, news, owner, queued, settle } = all;
    await sendChunks(deps, await plannedChunk(all));
    expect((await owner.post(`${news.path}/broadcasts/${id}/pause`)).status).toBe(200);
    queued.length = 0;
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    queued.length = 0;
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 35, failed: 0 });
    expect(await expectNobodyLost(all, 35)).toBe(0);
  });

  it("a cancel keeps the sent mails and retries nothing", async () => {
    const all = await puttingOff();
    const { deps, clock, id, news, owner, work } = all;
    await sendChunks(deps, await plannedChunk(all));
    expect((await owner.post(`${news.path}/broadcasts/${id}/cancel`)).status).toBe(200);
    clock.aheadMs += 3_600_000;
    await runScheduled(deps, EVERY_MINUTE);
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "cancelled", sent: 30, failed: 0 });
    expect(await news.received()).toHaveLength(30);
  });

  it("a subscriber who unsubscribes or is suppressed gets no retry", async () => {
    const all = await puttingOff();
    const { deps, id, news, service, settle } = all;
    await sendChunks(deps, await plannedChunk(all));
    const [left, hit] = [0, 1].map((n) => `rcpt-once.451.4.7.1.w${n}.${news.from}`);
    await run(
      service,
      "update subscribers set status = 'unsubscribed' where project_id = ? and email = ?",
      news.id,
      left,
    );
    await run(
      service,
      "insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at) values (?, ?, ?, 'manual', '', 1, 1)",
      unique("s"),
      news.id,
      hit,
    );
    await settle();
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
    const { deps, id, news, service, settle } = all;
    const chunk = await plannedChunk(all);
    const done = afterFirstSettle(service, () =>
      Promise.all([
        run(
          service,
          "delete from subscribers where project_id = ? and email = ?",
          news.id,
          `s198.${news.from}`,
        ),
        run(
          service,
          "update subscribers set email = ? where project_id = ? and email = ?",
          `new.${news.from}`,
          news.id,
          `s199.${news.from}`,
        ),
      ]),
    );
    await sendChunks(deps, chunk);
    await done();
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 199, failed: 0 });
    const received = await news.received();
    expect(received).toHaveLength(199);
    expect(received).toContain(`new.${news.from}`);
    expect(received).not.toContain(`s198.${news.from}`);
  });

  it("the next chunk uses the settings of that moment", async () => {
    const all = await scenario(520);
    const { deps, id, news, owner, service } = all;
    const chunk = await plannedChunk(all);
    const from = `${unique("moved")}@postrider.test`;
    const done = afterFirstSettle(service, () =>
      run(service, "update projects set from_email = ? where id = ?", from, news.id),
    );
    await sendChunks(deps, chunk);
    await done();
    expect((await owner.get(`${news.path}/broadcasts/${id}`)).body).toMatchObject({ sent: 520 });
    expect(await news.received()).toHaveLength(500);
    expect(await receivedMessages({ from })).toHaveLength(20);
  });

  it("the deletion of its project ends it and leaves no row behind", async () => {
    const all = await scenario(400);
    const { deps, news, owner, service } = all;
    const chunk = await plannedChunk(all);
    const meanwhile = () => owner.delete(news.path);
    const worker = stalledApp(all, { nth: FIRST_SETTLE, when: "after", meanwhile });
    await expect(sendChunks(worker, chunk)).rejects.toMatchObject({ code: "chunk_taken_over" });
    const sent = (await news.received()).length;
    expect(sent).toBeLessThan(200);
    await sendChunks(deps, chunk);
    for (let minute = 0; minute < 4; minute++) await runScheduled(deps, EVERY_MINUTE);
    expect(await news.logs()).toEqual([]);
    const left = await service.env.DB.prepare(
      "select (select count(*) from broadcasts where project_id = ?1) + (select count(*) from project_purges where project_id = ?1) as n",
    )
      .bind(news.id)
      .first<{ n: number }>();
    expect(left?.n).toBe(0);
    expect(await news.received()).toHaveLength(sent);
  });
});

describe("a broadcast that cannot start", () => {
  it("is answered 400 and leaves no broadcast behind", async () => {
    const { service } = manualService();
    const owner = await service.newOwner();
    const news = await newNewsletter(service, owner);
    await owner.put(`${news.path}/templates/${news.templateId}`, {
      html_body: "<select><style></style></select>",
    });
    expect((await news.start(ASYNC)).status).toBe(400);
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
    const { deps, id, news, settle } = all;
    await planBroadcast(deps, id);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1, failed: 0 });
    const [mail] = await receivedMessages({ from: news.from });
    expect((await PostalMime.parse(mail?.raw ?? "")).text).toMatch(text);
  });
});

describe("a database that went back in time", () => {
  it("mails nobody of a broadcast, schedule or batch that it remembers, after the statements of the document", async () => {
    const sendAt = new Date(Date.now() + 5 * 60_000).toISOString();
    const world = await draftWorld(3, { send_at: sendAt });
    const { news, owner, service, look, pass } = world;
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
    for (const text of texts) await run(service, text);
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
