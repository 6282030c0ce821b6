/* Events and automations while the storage is full (API reference §18.6). */
import { expect, it } from "vitest";
import { automationWorld, mail, wait } from "../../support/automating.ts";
import { allRows } from "../../support/rows.ts";
import { DAY } from "../../support/times.ts";

it("pauses at a mail, refuses events, and mails everybody once after a start with room", async () => {
  const world = await automationWorld({ steps: [mail("first"), wait("pause"), mail("second")] });
  const { clock, owner, news, id, deps, subscribe, happen, work, received, counts } = world;
  const measured = (level: "ok" | "full") =>
    allRows("update storage set bytes = 9700000000, level = ?, measured_at = ?", level, deps.now());
  const start = () => owner.post(`${news.path}/automations/${id}/start`);
  const state = () =>
    allRows("select state, reasons ->> '$[0].code' as code from automations where id = ?", id);
  const [ann = "", bob = ""] = await subscribe(2);
  const event = { name: "signed_up", subscriber_id: bob };
  const full = { status: 503, body: { code: "storage_full" } };

  await happen("signed_up", [ann]);
  await measured("full");
  const refused = await owner.post(`${news.path}/events`, event);
  expect(refused).toMatchObject(full);
  expect(refused.headers.get("Retry-After")).toBe("300");
  expect(await allRows("select 1 from events where subscriber_id = ?", bob)).toEqual([]);
  await work();
  expect(await state()).toEqual([{ state: "paused", code: "storage_full" }]);
  expect(await start()).toMatchObject(full);
  await work();
  expect(await received()).toEqual([]);

  await measured("ok");
  expect(await start()).toMatchObject({ status: 200, body: { state: "active" } });
  expect(await owner.post(`${news.path}/events`, event)).toMatchObject({ status: 202 });
  await work();
  expect(await received()).toEqual(["first n0", "first n1"]);

  clock.aheadMs += DAY;
  await measured("full");
  await work();
  expect(await state()).toEqual([{ state: "paused", code: "storage_full" }]);
  await measured("ok");
  await start();
  await work();
  expect(await received()).toEqual(["first n0", "first n1", "second n0", "second n1"]);
  expect(await news.logs()).toHaveLength(4);
  expect(await counts()).toMatchObject({ " in": 2, "second completed": 2 });
});
