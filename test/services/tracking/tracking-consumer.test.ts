/* The consumer of the tracking queue: what it acks, tries again and gives up. */
import { describe, expect, it } from "vitest";
import { uuidAt } from "../../../src/lib/ids.ts";
import type { TrackingEvent } from "../../../src/queues/messages.ts";
import { handleBatch } from "../../../src/queues/handle-batch.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { createService, unique } from "../../support/service.ts";
import {
  clickRows,
  DAY_MS,
  logMails,
  newMails,
  SENT_AT,
  topLinks,
  totals,
  trackedState,
  trackingEvent,
  URL_B,
} from "../../support/tracking/mails.ts";

const clock = { aheadMs: 0 };
// Addresses of much older visits would not be stored.
const now = () => SENT_AT + 60_000 + clock.aheadMs;
const service = createService({ WEBHOOK_QUEUE }, { now }); // deliveries are written without a wake-up
const deps = await service.deps();

describe("the queue consumer", () => {
  /** Delivers messages as one batch and returns the verdict on each. */
  async function deliver(bodies: TrackingEvent[][], attempts = 1): Promise<string[]> {
    const fates: string[] = [];
    const messages = bodies.map((events, index) => ({
      id: unique("message"),
      attempts,
      body: { type: "tracking", events },
      ack: () => (fates[index] = "acked"),
      retry: (options?: QueueRetryOptions) =>
        (fates[index] = `again in ${options?.delaySeconds} s`),
    }));
    await handleBatch(deps, { queue: "postrider-tracking", messages } as unknown as MessageBatch);
    return fates;
  }
  const groupsOf = (events: TrackingEvent[], size: number) =>
    Array.from({ length: Math.ceil(events.length / size) }, (_, index) =>
      events.slice(index * size, (index + 1) * size),
    );
  const opensOf = (logIds: string[]) =>
    logIds.map((id) => trackingEvent("open", id, SENT_AT + 60_000));

  /** Parameters that some work binds to its statements. */
  async function parametersOf(work: () => Promise<void>): Promise<string[]> {
    const parameters: string[] = [];
    const prepare = service.d1.database.prepare.bind(service.d1.database);
    service.d1.database.prepare = (text) => {
      const statement = prepare(text);
      const bind = statement.bind.bind(statement);
      statement.bind = (...values) => {
        parameters.push(...values.map(String));
        return bind(...values);
      };
      return statement;
    };
    await work();
    service.d1.database.prepare = prepare;
    return parameters;
  }

  const run = (text: string, ...values: unknown[]) =>
    service.env.DB.prepare(text)
      .bind(...values)
      .run();

  /** Makes a worker hold a send with these mails between SMTP and the log. */
  const takeInHand = (logIds: string[]) =>
    run(
      `insert into send_operations (id, project_id, kind, request_hash, state, lease_token, lease_until, in_flight, created_at)
        values (?, '', 'batch', '', 'running', '', 0, ?, 0)`,
      unique("operation"),
      JSON.stringify(logIds.map((logId) => ({ logId }))),
    );

  /** Creates a broadcast of that time with one range; returns a setter of the range's state. */
  async function newRange(createdAt: number, state = "claimed") {
    const id = unique("broadcast");
    await run(
      `insert into broadcasts (id, project_id, subject, html_body, text_body, status, state, log_key, cutoff_id, planned_id, plan_due_at, created_at)
        values (?, '', '', '', '', 'active', 'sending', '', '', '', 0, ?)`,
      id,
      createdAt,
    );
    await run(
      `insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred)
        values (?, '', '', '', ?, 0, '', '[]', '[]', '[]')`,
      id,
      state,
    );
    return (next: string) =>
      run("update broadcast_chunks set state = ? where broadcast_id = ?", next, id);
  }

  it("records a batch in one write and acks it", async () => {
    const { projectId, logIds } = await newMails(deps, 5);
    const opens = opensOf(logIds);
    service.d1.reset();
    expect(await deliver([opens.slice(0, 2), opens.slice(2)])).toEqual(["acked", "acked"]);
    expect(service.d1.roundTrips).toBe(2); // a read comes first
    expect(await totals(deps, projectId)).toEqual({ opened: 5, clicked: 0 });
  });

  it("records a full batch of full messages, 4,000 events, in writes of at most 500", async () => {
    const { projectId, logIds } = await newMails(deps, 500);
    const rounds = Array.from({ length: 8 }, (_, round) =>
      logIds.map((id) => trackingEvent("click", id, SENT_AT + 60_000 + round * DAY_MS)),
    );
    service.d1.reset();
    const fates = await deliver(groupsOf(rounds.flat(), 40));
    expect(fates).toHaveLength(100);
    expect(new Set(fates)).toEqual(new Set(["acked"]));
    // 500 is no multiple of 40; a read precedes each write
    expect(service.d1.roundTrips).toBe(2 * 9);
    expect(await totals(deps, projectId)).toEqual({ opened: 0, clicked: 500 });
    const links = await topLinks(deps, projectId);
    expect(links.filter(({ grain }) => grain === "day").map(({ clicks }) => clicks)).toEqual(
      Array.from({ length: 8 }, () => 500),
    );
  });

  it("keeps the parameters of a write below a megabyte when links and user agents are long", async () => {
    const { projectId, logIds } = await newMails(deps, 100);
    const path = "é".repeat(8_000);
    const clicks = logIds.map((id, index) => ({
      ...trackingEvent("click", id, SENT_AT + 60_000, `https://shop.test/${index}/${path}`),
      userAgent: `${"\\".repeat(500)}${index}`,
    }));
    service.d1.reset();
    let fates: string[] = [];
    const parameters = (
      await parametersOf(async () => {
        fates = await deliver(groupsOf(clicks, 3));
      })
    ).map((text) => Buffer.byteLength(text));
    expect(new Set(fates)).toEqual(new Set(["acked"]));
    expect(Math.max(...parameters)).toBeGreaterThan(500_000);
    expect(Math.max(...parameters)).toBeLessThan(1_000_000);
    expect(service.d1.roundTrips).toBe(2 * 3);
    expect(await totals(deps, projectId)).toEqual({ opened: 0, clicked: 100 });
  });

  it("retries a message once if its mail is in flight and not in the log yet", async () => {
    const projectId = unique("project");
    const logId = uuidAt(SENT_AT);
    const click = trackingEvent("click", logId, SENT_AT + 60_000);
    await takeInHand([logId]);
    expect(await deliver([[click]])).toEqual(["again in 120 s"]);
    await logMails(deps, projectId, [logId]);
    expect(await deliver([[click]], 2)).toEqual(["acked"]);
    expect(await clickRows(deps, logId)).toHaveLength(1);
    const late = uuidAt(SENT_AT);
    await takeInHand([late]);
    clock.aheadMs = 120_000;
    const fates = await deliver([opensOf([late])], 2);
    clock.aheadMs = 0;
    expect(fates).toEqual(["acked"]);
  });

  it("keeps that retry for a message whose first write failed", async () => {
    const logId = uuidAt(SENT_AT);
    await takeInHand([logId]);
    service.d1.before = () => {
      throw new Error("no database");
    };
    const failed = await deliver([opensOf([logId])]);
    service.d1.before = undefined;
    clock.aheadMs = 10_000;
    const waiting = await deliver([opensOf([logId])], 2);
    clock.aheadMs = 130_000;
    const over = await deliver([opensOf([logId])], 3);
    clock.aheadMs = 0;
    expect([failed, waiting, over]).toEqual([["again in 10 s"], ["again in 120 s"], ["acked"]]);
  });

  it("drops a visit of an unknown mail at the cost of two reads", async () => {
    await takeInHand([uuidAt(SENT_AT)]); // another send
    await newRange(SENT_AT - 1);
    service.d1.reset();
    expect(await deliver([opensOf([uuidAt(SENT_AT)])])).toEqual(["acked"]);
    expect(service.d1.roundTrips).toBe(2);
    expect(service.d1.rowsWritten).toBe(0);
    expect(service.d1.rowsRead).toBeLessThan(40);
  });

  it("waits for a mail of a broadcast only while a worker holds one of its chunks", async () => {
    const at = SENT_AT + 7;
    const unlogged = opensOf([uuidAt(at)]);
    const range = await newRange(at, "pending");
    expect(await deliver([unlogged])).toEqual(["acked"]);
    await range("claimed");
    expect(await deliver([unlogged])).toEqual(["again in 120 s"]);
    await range("pending");
    expect(await deliver([unlogged])).toEqual(["acked"]);
  });

  it("retries a message whose mail is logged between its two reads", async () => {
    const logId = uuidAt(SENT_AT);
    let reads = 0;
    service.d1.after = async () => {
      if (++reads === 1) await logMails(deps, unique("project"), [logId]);
    };
    const fates = await deliver([opensOf([logId])]);
    service.d1.after = undefined;
    expect(fates).toEqual(["again in 120 s"]);
  });

  it("counts and emits nothing twice when a whole message is retried", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    const hook = await newWebhook(projectId, ["email.opened", "email.clicked"]);
    const late = uuidAt(SENT_AT);
    await takeInHand([late]);
    const at = SENT_AT + 60_000;
    const message = [
      trackingEvent("open", logId, at),
      trackingEvent("click", logId, at + 10_000),
      trackingEvent("open", late, at + 20_000),
      trackingEvent("click", late, at + 30_000),
    ];
    const other = [trackingEvent("click", logId, at + 40_000, URL_B)];
    expect(await deliver([message, other])).toEqual(["again in 120 s", "acked"]);
    expect(await hook.types()).toEqual(["email.opened", "email.clicked", "email.clicked"]);
    await logMails(deps, projectId, [late]);
    expect(await deliver([message], 2)).toEqual(["acked"]);
    const once = await trackedState(deps, projectId);
    expect(once.totals).toEqual({ opened: 2, clicked: 2 });
    expect(once.clicks).toHaveLength(3);
    const told = await hook.payloads();
    expect(told.map(({ type, data }) => [type, data["log_id"]])).toEqual([
      ["email.opened", logId],
      ["email.clicked", logId],
      ["email.opened", late],
      ["email.clicked", late],
      ["email.clicked", logId],
    ]);
    // Delivery at least once can repeat a message, even beside others.
    expect(await deliver([other, message, message])).toEqual(["acked", "acked", "acked"]);
    expect(await trackedState(deps, projectId)).toEqual(once);
    expect(await hook.payloads()).toEqual(told);
  });

  it("retries the messages whose write failed and acks the others", async () => {
    const { projectId, logIds } = await newMails(deps, 3);
    const long = opensOf(logIds).map((open) => ({ ...open, userAgent: "x".repeat(400_000) }));
    let writes = 0;
    service.d1.before = (sql) => {
      const isWrite = sql.some((text) => text.includes("update log_entries"));
      if (isWrite && ++writes === 2) throw new Error("no database");
    };
    const fates = await deliver(groupsOf(long, 1));
    service.d1.before = undefined;
    expect(fates).toEqual(["acked", "again in 10 s", "acked"]);
    expect(await totals(deps, projectId)).toEqual({ opened: 2, clicked: 0 });
  });

  it("retries the whole batch when the database fails", async () => {
    const { projectId, logIds } = await newMails(deps, 2);
    service.d1.before = () => {
      throw new Error("no database");
    };
    const fates = await deliver(groupsOf(opensOf(logIds), 1), 3);
    service.d1.before = undefined;
    expect(fates).toEqual(["again in 40 s", "again in 40 s"]);
    expect(await totals(deps, projectId)).toEqual({ opened: 0, clicked: 0 });
  });

  it("tries the messages of a failed write one by one, so that one of them holds up no other", async () => {
    const { projectId, logIds } = await newMails(deps, 6);
    const opens = opensOf(logIds).map((open, n) =>
      n === 1 ? { ...open, userAgent: "bad" } : open,
    );
    const prepare = service.d1.database.prepare.bind(service.d1.database);
    service.d1.database.prepare = (text) => {
      const statement = prepare(text);
      const bind = statement.bind.bind(statement);
      statement.bind = (...values) => {
        if (values.some((value) => String(value).includes('"bad"'))) throw new Error("too large");
        return bind(...values);
      };
      return statement;
    };
    const fates = await deliver(groupsOf(opens, 1));
    service.d1.database.prepare = prepare;
    expect(fates).toEqual(["acked", "again in 10 s", ...Array(4).fill("acked")]);
    expect(await totals(deps, projectId)).toEqual({ opened: 5, clicked: 0 });
  });

  it("does not try them all while the database is away", async () => {
    let trips = 0;
    service.d1.before = () => {
      trips += 1;
      throw new Error("no database");
    };
    const logIds = Array.from({ length: 50 }, () => uuidAt(SENT_AT));
    const fates = await deliver(groupsOf(opensOf(logIds), 1));
    service.d1.before = undefined;
    expect(new Set(fates)).toEqual(new Set(["again in 10 s"]));
    expect(trips).toBe(4);
  });

  it("keeps a message without events or with an invalid one as a dead letter", async () => {
    const acked = ["acked"];
    const letters = () =>
      service.env.DB.prepare("select count(*) as n from dead_letters").first("n");
    expect(await deliver([[]])).toEqual(acked);
    const click = trackingEvent("click", uuidAt(SENT_AT), SENT_AT);
    for (const wrong of [
      null,
      "click",
      { ...click, kind: "bounce" },
      { ...click, url: undefined },
      { ...click, at: "1" },
      { ...click, at: Number.NaN },
      ...["id", "logId", "at", "userAgent", "ipAddress"].map((name) => ({
        ...click,
        [name]: null,
      })),
    ])
      expect(await deliver([[click, wrong as TrackingEvent]])).toEqual(acked);
    expect(await letters()).toBe(12);
  });
});
