import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { sendChunks } from "../../../src/services/mailing/index.ts";
import type { Deps } from "../../../src/deps.ts";
import { pausesBetweenPolls } from "../../../src/services/broadcasts/wait-for-broadcast.ts";
import {
  ASYNC,
  expectNobodyLost,
  hasNobodyTwice,
  isSettle,
  LONG_TURN,
  manualService,
  newNewsletter,
  plannedChunk,
  roomForTwo,
  scenario,
  type Progress,
} from "../../support/broadcasting.ts";
import { waitForMessages } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import { deathOfWorker } from "../../support/refusals.ts";

/** The service as deployed: its queue wakes the real consumers. */
const live = createService();

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
    const { service, queued } = manualService();
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
      const sent = "update broadcasts set sent = 1 where id = ?";
      void service.env.DB.prepare(sent)
        .bind(queued[0]?.broadcastId)
        .run()
        .then(() => (seenFrom = looks + 1));
    };
    const answer = await news.start();
    expect(answer).toMatchObject({ status: 200, body: { error: "internal error" } });
  });

  it("waits without reading the bodies and answers after a pause", async () => {
    const { service, queued } = manualService();
    const owner = await service.newOwner();
    const news = await newNewsletter(service, owner);
    let looks = 0;
    const third = Promise.withResolvers<void>();
    service.d1.before = ([sql = ""]) => {
      if (sql.startsWith('select "state", "reasons", planned_id') && ++looks === 3) third.resolve();
    };
    const answer = news.start();
    await third.promise;
    expect(
      await owner.post(`${news.path}/broadcasts/${queued[0]?.broadcastId}/pause`),
    ).toMatchObject({ status: 200 });
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

describe("a worker that crashes", () => {
  it.each([
    ["after it claimed its chunk", "after", 0, 0],
    ["at its first settle", "before", 1, 16],
    ["after its first settle", "after", 1, 16],
    ["between SMTP and a later settle", "before", 3, 16],
  ] as const)(
    "%s loses no recipient and mails none twice",
    async (_name, when, which, unknownMax) => {
      const { service, queued, news, id, deps, settle } = await scenario(230);
      await planBroadcast(deps, id);
      let seen = 0;
      service.d1[when] = (sql) => {
        const isMeant =
          which === 0
            ? sql.some(
                (text) =>
                  text.includes('"state" = ?') && text.startsWith('update "broadcast_chunks"'),
              )
            : isSettle(sql);
        // A refusal is never repeated, as a dead worker repeats nothing.
        if (isMeant && ++seen >= Math.max(1, which)) throw deathOfWorker("the worker died here");
      };
      const message = queued.find(({ type }) => type === "broadcast_chunk");
      await expect(
        sendChunks(deps, message as { broadcastId: string; afterId: string }),
      ).rejects.toThrow("died");
      service.d1[when] = undefined;
      queued.length = 0;
      await settle();
      const progress = await news.progress(id);
      const logs = await news.logs();
      const received = await news.received();
      const unknown = logs.filter(({ error }) => error === "outcome unknown").length;
      expect(progress).toMatchObject({ state: "done", sent: 230 - unknown, failed: unknown });
      expect(unknown).toBeLessThanOrEqual(unknownMax);
      expect(logs).toHaveLength(230);
      expect(hasNobodyTwice(logs.map(({ to_email: email }) => email))).toBe(true);
      expect(hasNobodyTwice(received)).toBe(true);
      expect(received.length).toBeGreaterThanOrEqual(230 - unknown);
      expect(await news.stats()).toMatchObject({
        total: 230,
        sent: 230 - unknown,
        failed: unknown,
      });
    },
  );

  it("changes nothing when the same message arrives twice at the same time", async () => {
    const { queued, news, id, deps, settle } = await scenario(120);
    await Promise.all([planBroadcast(deps, id), planBroadcast(deps, id)]);
    const [message] = queued.filter(({ type }) => type === "broadcast_chunk") as {
      broadcastId: string;
      afterId: string;
    }[];
    if (!message) throw new Error("no chunk was planned");
    await Promise.all([
      sendChunks(deps, message),
      sendChunks(deps, message),
      sendChunks(deps, message),
    ]);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 120 });
    expect((await news.received()).length).toBe(120);
    expect(await news.logs()).toHaveLength(120);
  });

  it("is noticed by the sweep when every queue message is lost", async () => {
    const { queued, news, id, settle } = await scenario(60);
    queued.length = 0;
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 60 });
    expect(await news.received()).toHaveLength(60);
  });

  it("is also noticed by the sweep if the audience is empty", async () => {
    const { queued, news, id, settle } = await scenario(0);
    queued.length = 0;
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 0, failed: 0 });
  });

  it("leaves several chunks of a long list, each run once", async () => {
    const { queued, news, id, deps, settle } = await scenario(1_001);
    await planBroadcast(deps, id);
    expect(queued.filter(({ type }) => type === "broadcast_chunk")).toHaveLength(3);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1_001 });
    const received = await news.received();
    expect(received).toHaveLength(1_001);
    expect(hasNobodyTwice(received)).toBe(true);
  });

  it("costs at most 0.3 D1 statements and 2.28 rows written per recipient", async () => {
    const { service, queued, deps, id } = await scenario(500);
    await planBroadcast(deps, id);
    const message = queued.find(({ type }) => type === "broadcast_chunk") as {
      broadcastId: string;
      afterId: string;
    };
    let statements = 0;
    service.d1.before = (sql) => void (statements += sql.length);
    service.d1.reset();
    await sendChunks(deps, message);
    service.d1.before = undefined;
    // Allows 63 claims of 8 mails, 20 pages of recipients, 9 settles of three statements more, the
    // claim and end of the chunk, and two rows per mail. The mails share the rest, and some
    // renewals of the lease where the machine is slow.
    const { roundTrips, rowsWritten } = service.d1;
    expect(statements).toBeLessThanOrEqual(150);
    expect(roundTrips).toBeLessThanOrEqual(80);
    expect(rowsWritten).toBeLessThanOrEqual(2 * 500 + 140);
  });

  it("stops within one group on a pause, resumes, and ends when cancelled", async () => {
    const { service, queued, owner, news, id, deps, settle } = await scenario(400);
    await planBroadcast(deps, id);
    const message = queued.find(({ type }) => type === "broadcast_chunk") as {
      broadcastId: string;
      afterId: string;
    };
    let settles = 0;
    let paused: Promise<unknown> | undefined;
    service.d1.after = (sql) => {
      if (isSettle(sql) && ++settles === 2)
        paused = owner.post(`${news.path}/broadcasts/${id}/pause`);
    };
    await sendChunks(deps, message);
    service.d1.after = undefined;
    await paused;
    const atPause = await news.progress(id);
    expect(atPause.state).toBe("paused");
    expect(atPause.sent).toBeLessThan(400);
    queued.length = 0;
    await sendChunks(deps, message);
    expect((await news.progress(id)).sent).toBe(atPause.sent);
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 400 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
    expect((await owner.post(`${news.path}/broadcasts/${id}/cancel`)).status).toBe(409);
  });

  it("sends nothing more after a cancel and keeps the counts", async () => {
    const { service, queued, owner, news, id, deps, work } = await scenario(400);
    await planBroadcast(deps, id);
    const message = queued.find(({ type }) => type === "broadcast_chunk") as {
      broadcastId: string;
      afterId: string;
    };
    let cancelled: Promise<unknown> | undefined;
    service.d1.after = (sql) => {
      if (isSettle(sql)) cancelled ??= owner.post(`${news.path}/broadcasts/${id}/cancel`);
    };
    await sendChunks(deps, message);
    service.d1.after = undefined;
    await cancelled;
    await work();
    const received = await news.received();
    expect(await news.progress(id)).toMatchObject({ state: "cancelled", sent: received.length });
    expect(received.length).toBeLessThan(400);
    expect(await news.logs()).toHaveLength(received.length);
  });

  it("skips subscribers who unsubscribe or are suppressed while it runs", async () => {
    const { service, queued, news, id, deps, settle } = await scenario(200);
    await planBroadcast(deps, id);
    const message = queued.find(({ type }) => type === "broadcast_chunk") as {
      broadcastId: string;
      afterId: string;
    };
    let changed: Promise<unknown> | undefined;
    service.d1.after = (sql) => {
      if (!isSettle(sql)) return;
      changed ??= Promise.all([
        service.env.DB.prepare(
          "update subscribers set status = 'unsubscribed' where project_id = ? and email = ?",
        )
          .bind(news.id, `s198.${news.from}`)
          .run(),
        service.env.DB.prepare(
          "insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at) values (?, ?, ?, 'manual', '', 1, 1)",
        )
          .bind(unique("s"), news.id, `s199.${news.from}`)
          .run(),
      ]);
    };
    await sendChunks(deps, message);
    service.d1.after = undefined;
    await changed;
    await settle();
    const received = await news.received();
    expect(received).toHaveLength(198);
    expect(received).not.toContain(`s198.${news.from}`);
    expect(received).not.toContain(`s199.${news.from}`);
    expect(await news.progress(id)).toMatchObject({ sent: 198, suppressed: 1, failed: 0 });
  });

  it("retries only deferred mails", async () => {
    const { service, queued, news, id, deps, settle } = await scenario(20);
    await service.env.DB.prepare(
      "update subscribers set email = 'rcpt-once.451.4.7.1.' || email where project_id = ? and email like 's1.%'",
    )
      .bind(news.id)
      .run();
    await planBroadcast(deps, id);
    await settle();
    expect(queued).toEqual([]);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 20, failed: 0 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("gives up after the fourth attempt with the server's last reply", async () => {
    const { service, news, id, deps, settle } = await scenario(10);
    await service.env.DB.prepare(
      "update subscribers set email = 'rcpt.451.4.7.1.' || email where project_id = ? and email like 's1.%'",
    )
      .bind(news.id)
      .run();
    await planBroadcast(deps, id);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 9, failed: 1 });
    expect((await news.logs()).find(({ status }) => status === "failed")?.error).toContain("451");
  });

  it("pauses after the last attempt if no session opened, with the reason, and fails no recipient", async () => {
    const { service, owner, news, id, deps, settle } = await scenario(150);
    const { port, log } = await startRawServer(FAULTS.closesAtConnect);
    const usePort = (smtpPort: number) =>
      service.env.DB.prepare("update projects set smtp_port = ? where id = ?")
        .bind(smtpPort, news.id)
        .run();
    await usePort(port);
    await planBroadcast(deps, id);
    await settle("paused");
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
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 150, failed: 0 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("fails the rest after the last attempt if sessions open and the server accepts no mail", async () => {
    const { service, news, id, deps, settle } = await scenario(30);
    const { port } = await startRawServer(FAULTS.closesAtMail);
    await service.env.DB.prepare("update projects set smtp_port = ? where id = ?")
      .bind(port, news.id)
      .run();
    await planBroadcast(deps, id);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 0, failed: 30 });
    expect(await news.logs()).toHaveLength(30);
  });

  it("pauses the broadcast with the reason when the settings no longer allow sending", async () => {
    const { service, queued, owner, news, id, deps, settle } = await scenario(10);
    await planBroadcast(deps, id);
    await service.env.DB.prepare("update projects set smtp_password_sealed = null where id = ?")
      .bind(news.id)
      .run();
    await sendChunks(
      deps,
      queued.find(({ type }) => type === "broadcast_chunk") as {
        broadcastId: string;
        afterId: string;
      },
    );
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
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 10, error: null });
  });
});

describe("a worker's turn", () => {
  it("continues with the chunks after its own over the same sessions", async () => {
    const all = await scenario(1_600, roomForTwo);
    const { deps, id, news, queued, service, work } = all;
    queued.length = 0;
    await planBroadcast(deps, id);
    const [first, second] = queued.filter((message) => message.type === "broadcast_chunk");
    if (!first || !second) throw new Error("too few chunks were planned");
    let opened = 0;
    const sockets: Deps["sockets"] = (...target) => {
      opened += 1;
      return deps.sockets(...target);
    };
    await Promise.all([
      sendChunks({ ...deps, sockets }, first, LONG_TURN),
      sendChunks({ ...deps, sockets }, second, LONG_TURN),
    ]);
    expect(opened).toBeLessThanOrEqual(2 * 4);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1_600 });
    service.d1.reset();
    await work();
    const { roundTrips, rowsWritten } = service.d1;
    expect({ roundTrips, rowsWritten }).toEqual({ roundTrips: 4, rowsWritten: 0 });
    expect(await expectNobodyLost(all, 1_600)).toBe(0);
  });

  it("sends even when its clock is behind the planner's", async () => {
    const { deps, clock, id, news, work } = await scenario(3);
    clock.aheadMs = 1_000;
    await planBroadcast(deps, id);
    clock.aheadMs = 0;
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 3 });
  });

  it("ends after four chunks or 500 statements, and other workers find the rest", async () => {
    const all = await scenario(2_100);
    const { deps, id, news, queued, service, work } = all;
    queued.length = 0;
    await planBroadcast(deps, id);
    const first = queued.find((message) => message.type === "broadcast_chunk");
    if (!first) throw new Error("no chunk was planned");
    let statements = 0;
    service.d1.before = (sql) => void (statements += sql.length);
    await sendChunks(deps, first, LONG_TURN);
    service.d1.before = undefined;
    expect(statements).toBeLessThanOrEqual(500);
    const { state, sent } = await news.progress(id);
    expect(state).toBe("sending");
    expect([1_500, 2_000]).toContain(sent); // a slow machine needs more statements for a chunk
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 2_100 });
    expect(await expectNobodyLost(all, 2_100)).toBe(0);
  });

  it("loses no recipient when it dies between two chunks, before or after it claims the next", async () => {
    for (const when of ["before", "after"] as const) {
      const all = await scenario(540);
      const { deps, id, news, service, settle } = all;
      const chunk = await plannedChunk(all);
      service.d1[when] = (statements) => {
        if (statements.some((sql) => sql.includes('delete from "broadcast_chunks"')))
          throw new Error("D1 is gone");
      };
      await expect(sendChunks(deps, chunk)).rejects.toThrow();
      service.d1[when] = undefined;
      expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 500 });
      await settle();
      expect(await news.progress(id)).toMatchObject({ state: "done", sent: 540 });
      expect(await expectNobodyLost(all, 540)).toBe(0);
    }
  });
});
