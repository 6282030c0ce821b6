/* Recipients whom the server defers: they wait for another attempt, alone. */
import { describe, expect, it } from "vitest";
import { expectNobodyLost, isRecord, scenario } from "../../support/broadcasting.ts";
import { newWebhook } from "../../support/events.ts";
import { allRows } from "../../support/rows.ts";

const waitingIn = async (id: string) =>
  (
    await allRows<{ again: string; due_at: number }>(
      "select again, due_at from broadcast_chunks where broadcast_id = ? order by after_id",
      id,
    )
  ).map(({ again, due_at }) => ({ waiting: (JSON.parse(again) as object[]).length, due_at }));

describe("recipients whom the server defers", () => {
  it("are tried again once if they are the last of a chunk, or all of it", async () => {
    for (const good of [0, 5]) {
      const world = await scenario(good, ({ subscribe, from }) =>
        subscribe(20, (n) => `rcpt-once.451.4.7.1.d${n}.${from}`),
      );
      const { news, id, work, deps, finish } = world;
      await work();
      expect(await news.progress(id)).toMatchObject({ state: "sending", sent: good });
      const [chunk, ...others] = await waitingIn(id);
      expect([chunk?.waiting, others]).toEqual([20, []]);
      expect(Number(chunk?.due_at)).toBeGreaterThan(deps.now() + 25_000);
      await finish();
      expect(await news.progress(id)).toMatchObject({ state: "done", sent: 20 + good });
      expect(await expectNobodyLost(world, 20 + good)).toBe(0);
    }
  });

  it("get a chunk of their own as soon as they are 500, so that no write repeats more", async () => {
    const world = await scenario(3, ({ subscribe, from }) =>
      subscribe(700, (n) => `rcpt-once.451.4.7.1.d${n}.${from}`),
    );
    const { news, id, work, finish } = world;
    await work();
    const waiting = (await waitingIn(id)).map((chunk) => chunk.waiting);
    expect(waiting.reduce((sum, count) => sum + count, 0)).toBe(700);
    expect(waiting).toHaveLength(2);
    for (const count of waiting) expect(count).toBeLessThan(500 + 150);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 703 });
    expect(await expectNobodyLost(world, 703)).toBe(0);
  });

  it("emit email.delivery_delayed once each, however often they are tried, and others none", async () => {
    const world = await scenario(2, async ({ subscribe, from }) => {
      await subscribe(1, () => `rcpt-once.451.4.7.1.once.${from}`);
      await subscribe(1, () => `rcpt.451.4.7.1.ever.${from}`);
    });
    const { news, id, service, work, finish } = world;
    const hook = await newWebhook(news.id, ["email.delivery_delayed", "email.failed"]);
    service.d1.after = (sql) => {
      if (!isRecord(sql)) return;
      service.d1.after = undefined;
      throw new Error("the answer is lost, and the write repeated");
    };
    await work();
    const found = async () =>
      (await hook.payloads()).filter(({ type }) => type === "email.delivery_delayed");
    expect((await found()).map(({ data }) => String(data["to"])).toSorted()).toEqual([
      `rcpt-once.451.4.7.1.once.${news.from}`,
      `rcpt.451.4.7.1.ever.${news.from}`,
    ]);
    await finish();
    const logs = await news.logs();
    for (const { data } of await found())
      expect(data).toMatchObject({
        log_id: logs.find(({ to_email }) => to_email === data["to"])?.id,
        broadcast_id: id,
        error: expect.stringContaining("451"),
        reason: "policy",
      });
    expect(await hook.types()).toEqual([
      "email.delivery_delayed",
      "email.delivery_delayed",
      "email.failed",
    ]);
  });

  it("are no longer tried if the broadcast is cancelled while its sender puts them off", async () => {
    const world = await scenario(2, ({ subscribe, from }) =>
      subscribe(3, (n) => `rcpt.451.4.7.1.d${n}.${from}`),
    );
    const { news, id, owner, service, run } = world;
    service.d1.before = async (sql) => {
      if (!sql.some((text) => text.includes('"due_at" = ?'))) return;
      service.d1.before = undefined;
      await owner.post(`${news.path}/broadcasts/${id}/cancel`);
    };
    await run();
    expect(await waitingIn(id)).toEqual([]);
    expect(await news.progress(id)).toMatchObject({ state: "cancelled", sent: 2 });
  });
});
