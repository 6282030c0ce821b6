/* Recipients whom the server defers: they wait for another attempt, alone. */
import { describe, expect, it } from "vitest";
import { expectNobodyLost, scenario } from "../../support/broadcasting.ts";
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
