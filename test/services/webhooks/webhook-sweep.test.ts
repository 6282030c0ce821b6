/*
 * The jobs that keep webhooks going, against rows of the tests: which the sweep wakes, and how
 * much one run removes.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  continueWebhookPurges,
  forgetOldDeliveries,
  sweepWebhooks,
} from "../../../src/services/webhooks/sweep-webhooks.ts";
import { woken, WEBHOOK_QUEUE } from "../../support/events.ts";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { DAY, standingClock } from "../../support/times.ts";

const START = Date.UTC(2026, 9, 1);
const clock = standingClock(START);
const service = createService({ WEBHOOK_QUEUE }, { now: () => clock.now });
const deps = await service.deps();

beforeEach(async () => {
  woken.length = 0;
  for (const table of ["projects", "webhooks", "webhook_deliveries", "webhook_purges"])
    await allRows(`delete from ${table}`);
  await allRows(
    "insert into projects (id, workspace_id, created_by, name, description, created_at, updated_at) values ('project', 'w', 'u', 'n', '', 1, 1)",
  );
});
afterEach(() => void vi.restoreAllMocks());

const NUMBERS = "with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)";
/** Webhooks 01000, 01001, … in the order of their creation, each with a due delivery. */
async function newHooks(count: number) {
  await allRows(
    `${NUMBERS} insert into webhooks (id, project_id, url, host, secret_sealed, events, active, created_at)
     select '0' || (1000 + i), 'project', 'https://any.test', 'host' || i, '', '[]', 1, 1 from n`,
    count,
  );
  await allRows(
    `insert into webhook_deliveries (webhook_id, id, project_id, event_id, event_type, payload, status, due_at, created_at)
     select id, 'd', 'project', 'e', 'email.sent', '', 'pending', 0, 1 from webhooks`,
  );
}
const newDeliveries = (
  webhook: string,
  count: number,
  prefix: string,
  dueAt: number | null = null,
) =>
  allRows(
    `${NUMBERS} insert into webhook_deliveries (webhook_id, id, project_id, event_id, event_type, payload, status, due_at, created_at)
     select ?2, ?3 || i, 'project', 'e', 'email.sent', '', 'delivered', ?4, 1 from n`,
    count,
    webhook,
    prefix,
    dueAt,
  );
const deliveriesLeft = async () =>
  (await allRows<{ n: number }>("select count(*) as n from webhook_deliveries"))[0]?.n;

describe("the minute sweep", () => {
  const sweep = async (limit?: number) => {
    woken.length = 0;
    service.d1.reset();
    await sweepWebhooks(deps, limit);
    return woken.map((id) => Number(id.slice(1)) - 1_000);
  };
  const sorted = (ids: Iterable<number>) => [...ids].toSorted((a, b) => a - b);

  it("wakes all that are due in one query", async () => {
    await newHooks(3);
    expect(sorted(await sweep())).toEqual([0, 1, 2]);
    expect(service.d1.roundTrips).toBe(1);
  });

  it("picks at random if more are due than one run wakes, so that none starves", async () => {
    await newHooks(8);
    const seen = new Set<number>();
    for (let run = 0; run < 90; run += 1) {
      const ids = await sweep(3);
      expect(ids).toHaveLength(3);
      for (const id of ids) seen.add(id);
    }
    expect(sorted(seen)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("wakes at most 1,000", async () => {
    await newHooks(1_001);
    expect(new Set(await sweep()).size).toBe(1_000);
  });
});

describe("the removal of deleted webhooks' history", () => {
  const purge = (webhook: string) =>
    allRows("insert into webhook_purges (webhook_id, created_at) values (?, 1)", webhook);
  const purgesLeft = async () =>
    (await allRows("select webhook_id from webhook_purges")).map((row) => row["webhook_id"]);

  it("deletes 5,000 rows of a webhook in one run, and the rest in the next", async () => {
    await purge("a");
    await newDeliveries("a", 5_001, "x");
    await continueWebhookPurges(deps);
    expect([await deliveriesLeft(), await purgesLeft()]).toEqual([1, ["a"]]);
    service.d1.reset();
    await continueWebhookPurges(deps);
    expect([await deliveriesLeft(), await purgesLeft()]).toEqual([0, []]);
    expect(service.d1.roundTrips).toBe(2); // the list, and one step
  });

  it("continues with 20 webhooks in one run", async () => {
    for (let n = 0; n < 21; n++) await purge(`w${n}`);
    await continueWebhookPurges(deps);
    expect(await purgesLeft()).toHaveLength(1);
  });
});

describe("the retention of deliveries", () => {
  const days = deps.config.logRetentionDays;
  /** The first id of a time, as UUIDv7s have it. */
  const idAt = (ms: number) => {
    const hex = ms.toString(16).padStart(12, "0");
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
  };
  const END = START - days * DAY;

  it("deletes finished ones from before its time, to the millisecond, and keeps the others", async () => {
    await newHooks(1);
    await allRows("delete from webhook_deliveries");
    await newDeliveries("01000", 1, idAt(END - 1));
    await newDeliveries("01000", 1, `${idAt(END - 1)}-due`, 1);
    await newDeliveries("01000", 1, idAt(END));
    await forgetOldDeliveries(deps);
    const left = await allRows("select id from webhook_deliveries order by id");
    expect(left).toEqual([{ id: `${idAt(END - 1)}-due0` }, { id: `${idAt(END)}0` }]);
  });

  it("deletes 1,000 per step, webhook after webhook, and logs if some are left", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    await newHooks(2);
    await allRows("delete from webhook_deliveries");
    await newDeliveries("01000", 1_500, idAt(END - DAY));
    await newDeliveries("01001", 700, idAt(END - DAY));
    await forgetOldDeliveries(deps, 2);
    expect(await deliveriesLeft()).toBe(200);
    expect(warned.mock.calls.map(([line]) => JSON.parse(String(line)) as object)).toEqual([
      { level: "warn", event: "old_deliveries_left", steps: 2 },
    ]);
    service.d1.reset();
    await forgetOldDeliveries(deps);
    expect([await deliveriesLeft(), service.d1.roundTrips]).toEqual([0, 1]);
    expect(warned).toHaveBeenCalledOnce();
  });

  it("keeps all if it is unlimited", async () => {
    const ever = createService({ LOG_RETENTION_DAYS: "0" }, { now: () => clock.now });
    await newHooks(1);
    await newDeliveries("01000", 3, idAt(1));
    await forgetOldDeliveries(await ever.deps());
    expect(await deliveriesLeft()).toBe(4);
  });
});
