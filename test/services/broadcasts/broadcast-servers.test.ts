/* Servers that stop taking the mails of a broadcast. */
import { describe, expect, it } from "vitest";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import {
  hasNobodyTwice,
  manualService,
  newNewsletter,
  scenario,
} from "../../support/broadcasting.ts";
import { waitForMessages } from "../../support/mailbox.ts";
import { ports } from "../../support/ports.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService } from "../../support/service.ts";
import { FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import type { RawStep } from "../../support/smtp/raw-script.ts";
import { eventually } from "../../support/times.ts";

describe("a server that accepts some mails and then asks for a pause", () => {
  it("gets every mail in the end, however often it asks", async () => {
    const all = await scenario(200);
    const { service, id, news, finish } = all;
    await service.env.DB.prepare(
      "update subscribers set email = 'rcpt.421.4.7.0.' || email where project_id = ? and email like 's7.%'",
    )
      .bind(news.id)
      .run();
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 199, failed: 1 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });
});

describe("a server that takes some mails in the last attempt and then opens no session", () => {
  it("costs nobody the mail: the broadcast pauses, and a resume reaches the rest", async () => {
    const all = await scenario(60);
    const { owner, deps, id, news, finish } = all;
    const close: RawStep[] = [{ close: true }];
    const refused = Array.from({ length: 60 }, (_, n) => ({ connection: n + 2 }));
    const { port, log } = await startRawServer({
      offers: ["8BITMIME"],
      rules: [
        ...refused.map((one) => ({ on: "connect", ...one, steps: close })),
        { on: "MAIL", skip: 5, steps: close },
      ],
    });
    await allRows("update projects set smtp_port = ? where id = ?", port, news.id);
    await planBroadcast(deps, id);
    await allRows("update broadcast_chunks set attempt = 3 where broadcast_id = ?", id);
    await finish("paused");
    const paused = await news.progress(id);
    expect(paused).toMatchObject({ state: "paused", failed: 0 });
    expect(paused.error).toContain("closed the connection");
    expect(paused.sent).toBeGreaterThan(0);
    expect(paused.sent).toBeLessThan(60);
    expect((await log()).connections.length).toBeLessThan(40);
    await allRows("update projects set smtp_port = ? where id = ?", ports.smtp, news.id);
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 60, failed: 0 });
    expect(await news.received()).toHaveLength(60 - paused.sent);
    expect(hasNobodyTwice((await news.logs()).map((one) => one.to_email))).toBe(true);
  });
});

describe("a server that is slow to greet", () => {
  it("costs nobody an attempt if the broadcast is paused and resumed meanwhile", async () => {
    const { owner, deps, id, news, run, work } = await scenario(20);
    const { port, log } = await startRawServer({
      offers: ["8BITMIME"],
      rules: [{ on: "connect", steps: [{ send: "220 slow\r\n", chunkBytes: 1, everyMs: 60 }] }],
    });
    await allRows("update projects set smtp_port = ? where id = ?", port, news.id);
    await planBroadcast(deps, id);
    const running = run();
    await eventually(async () => expect((await log()).connections).not.toEqual([]));
    for (const action of ["pause", "resume"])
      expect((await owner.post(`${news.path}/broadcasts/${id}/${action}`)).status).toBe(200);
    await running;
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 20, failed: 0 });
  });
});

describe("a server that refuses the login permanently", () => {
  it("pauses the broadcast with its reply, and a resume mails each recipient once", async () => {
    const all = await scenario(60);
    const { owner, id, news, run, finish } = all;
    const settings = { smtp_host: "127.0.0.1", smtp_port: ports.smtp, smtp_user: "user" };
    await owner.put(`${news.path}/smtp`, { ...settings, smtp_password: "wrong" });
    await run();
    const paused = await news.progress(id);
    expect(paused).toMatchObject({ state: "paused", sent: 0, failed: 0 });
    expect(paused.error).toMatch(/535/);
    await owner.put(`${news.path}/smtp`, { ...settings, smtp_password: "pass" });
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 60, failed: 0 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });
});

describe("POST /projects/{id}/broadcast", () => {
  it("answers when everybody has been tried once, with the number of those who wait", async () => {
    const { service, workAll } = manualService();
    const owner = await service.newOwner();
    const news = await newNewsletter(service, owner);
    const rows = Array.from({ length: 22 }, (_, n) => ({
      email: `${n < 20 ? "" : "rcpt.451.4.7.1."}d${n}.${news.from}`,
    }));
    await owner.post(`${news.path}/subscribers/import`, rows); // which counts the audience
    const isStarted = Promise.withResolvers<void>();
    service.d1.before = ([sql = ""]) => {
      if (sql.startsWith('select "state", "reasons", planned_id')) isStarted.resolve();
    };
    const answer = news.start();
    await isStarted.promise;
    await workAll(await service.deps());
    const counts = { sent: 20, failed: 0, waiting: 2, state: "sending" };
    expect(await answer).toMatchObject({ status: 200, body: counts });
  });

  it.each([
    ["refuses the password", async () => ({ smtpPassword: "wrong" }), "535"],
    [
      "opens no session",
      async () => ({ smtpPort: (await startRawServer(FAULTS.closesAtConnect)).port }),
      "the server closed the connection",
    ],
  ])("answers 502 if the mail server %s, and can be resumed", async (_, settings, words) => {
    const live = createService(); // its queue wakes the real senders
    const owner = await live.newOwner();
    const news = await newNewsletter(live, owner, await settings());
    await news.subscribe(3);
    const { status, body } = await news.start();
    const id = String(body["broadcast_id"]);
    expect([status, body["error"]]).toEqual([502, expect.stringContaining(words)]);
    expect(await news.progress(id)).toMatchObject({ state: "paused", sent: 0, failed: 0 });
    await owner.put(`${news.path}/smtp`, {
      smtp_host: "127.0.0.1",
      smtp_port: CAPTURING.smtpPort,
      smtp_user: "user",
      smtp_password: "pass",
    });
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    expect(await waitForMessages({ from: news.from }, 3)).toHaveLength(3);
  });
});
