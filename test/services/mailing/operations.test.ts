/*
 * Operations (the records of sends under way) and the writes that end them, against rows of the
 * tests: who gets an Idempotency-Key's answer, who takes over, and what each statement leaves
 * alone.
 */
import { env } from "cloudflare:test";
import { eq, sql, type SQL } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase, runBatch } from "../../../src/db/client.ts";
import { sendOperations } from "../../../src/db/schema/index.ts";
import {
  heartbeatMs,
  isRenewalDue,
  leaseEnd,
  newLease,
  renewedLeaseMs,
} from "../../../src/db/lease.ts";
import { conflict } from "../../../src/errors.ts";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { systemContext } from "../../../src/context.ts";
import {
  beginOperation,
  recallOperation,
} from "../../../src/services/mailing/operations/recall-operation.ts";
import { failed, suppressedOutcome } from "../../../src/services/mailing/outcome.ts";
import {
  deleteOldOperation,
  deleteOperationsBefore,
  finishOperation,
  operationHeld,
  selectAbandoned,
  selectOperationByKey,
  selectSubscriberSuppression,
  takeOverOperation,
  updateHeldOperation,
  type OperationRow,
} from "../../../src/services/mailing/operations/operation-queries.ts";
import { runSettle } from "../../../src/services/mailing/run-settle.ts";
import {
  inFlightOf,
  settleStatements,
  type MailFacts,
  type SettledMail,
} from "../../../src/services/mailing/settle.ts";
import { allRows, insertRow, insertSubscriber, type Row } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { DAY, SECOND, standingClock } from "../../support/times.ts";

const START = Date.UTC(2026, 9, 1);
const LEASE_MS = 120 * SECOND;
const clock = standingClock(START);
const service = createService({}, { now: () => clock.now });
const deps = await service.deps();
const ctx = systemContext(deps, "test");
const db = openDatabase(env.DB);
const [PROJECT, OTHER] = ["project", "other project"];

beforeEach(async () => {
  for (const table of [
    "send_operations",
    "logged_mails",
    "suppressions",
    "subscribers",
    "projects",
  ])
    await allRows(`delete from ${table}`);
  for (const id of [PROJECT, OTHER])
    await insertRow("projects", {
      id,
      workspace_id: "w",
      created_by: "u",
      name: "n",
      description: "",
      created_at: 1,
      updated_at: 1,
    });
});

const holds = async (condition: SQL) =>
  (await db.all<{ held: number }>(sql`select ${condition} as held`))[0]?.held === 1;

async function newOperation({ id = crypto.randomUUID(), ...change }: Row = {}) {
  await insertRow("send_operations", {
    id,
    project_id: PROJECT,
    kind: "send",
    idempotency_key: null,
    request_hash: "hash",
    state: "running",
    lease_token: "token",
    lease_until: START,
    in_flight: "[]",
    created_at: START,
    ...change,
  });
  return rowOf(String(id));
}

async function rowOf(id: string): Promise<OperationRow> {
  const [row] = await db.select().from(sendOperations).where(eq(sendOperations.id, id));
  if (!row) throw new Error("the operation is gone");
  return row;
}
const idsLeft = async () =>
  (await allRows("select id from send_operations order by id")).map(({ id }) => id);

const ASKED = { key: "key", requestHash: "hash" };
const refusal = (code: string, retryAfterSeconds?: number) =>
  expect.objectContaining({
    code,
    details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  });
const RUNNING = "first_request_running";

describe("a request with an Idempotency-Key", () => {
  const keyed = (change: Row = {}) => newOperation({ idempotency_key: "key", ...change });

  it("is new without a key, without an operation, and 24 hours after a finished one", async () => {
    const done = await keyed({ state: "done", result: "{}" });
    expect(await recallOperation(ctx, undefined, done)).toEqual({ kind: "new" });
    expect(await recallOperation(ctx, ASKED, undefined)).toEqual({ kind: "new" });
    clock.now = START + DAY - 1;
    expect(await recallOperation(ctx, ASKED, done)).toMatchObject({ kind: "answered" });
    clock.now = START + DAY;
    expect(await recallOperation(ctx, ASKED, done)).toEqual({ kind: "new" });
  });

  it("gets the answer of the first request", async () => {
    const result = { kind: "sent", id: "log" };
    const done = await keyed({ state: "done", result: JSON.stringify(result) });
    expect(await recallOperation(ctx, ASKED, done)).toEqual({ kind: "answered", result });
    expect(await recallOperation(ctx, ASKED, { ...done, result: null })).toEqual({
      kind: "answered",
      result: {},
    });
  });

  it("is refused when its contents differ from those of the first one", async () => {
    const asked = { ...ASKED, requestHash: "other" };
    for (const state of ["done", "running"] as const)
      await expect(recallOperation(ctx, asked, await newOperation({ state }))).rejects.toEqual(
        refusal("idempotency_key_reused"),
      );
  });

  it.each([
    ["send", 60 * SECOND, 2],
    ["send", 1_500, 2],
    ["send", 500, 1],
    ["batch", 60 * SECOND, 60],
    ["batch", 1_001, 2],
  ])("is told to wait while the first one runs: a %s, %d ms, %d s", async (kind, left, seconds) => {
    const running = await keyed({ kind, lease_until: START + left });
    await expect(recallOperation(ctx, ASKED, running)).rejects.toEqual(refusal(RUNNING, seconds));
    expect(await rowOf(running.id)).toEqual(running);
  });

  it.each([
    ["ran out of its lease", { state: "running" }],
    ["ran out of its lease days ago", { state: "running", created_at: START - 3 * DAY }],
  ])("takes over an operation that %s, once", async (_what, change) => {
    const known = await keyed(change);
    const taken = await recallOperation(ctx, ASKED, known);
    const row = await rowOf(known.id);
    expect(row).toMatchObject({ state: "running", leaseUntil: START + LEASE_MS });
    expect(row.leaseToken).not.toBe("token");
    const claim = { operationId: known.id, leaseToken: row.leaseToken };
    expect(taken).toEqual({ kind: "abandoned", claim, operation: row });
    await expect(recallOperation(ctx, ASKED, known)).rejects.toEqual(refusal(RUNNING, 2));
    await expect(recallOperation(ctx, ASKED, { ...known, kind: "batch" })).rejects.toEqual(
      refusal(RUNNING, LEASE_MS / SECOND),
    );
  });
});

const IN_FLIGHT = {
  logId: "log",
  toEmail: "a@any.test",
  subject: "s",
  templateId: null,
  subscriberId: null,
};

describe("the begin of an operation", () => {
  const begin = (projectId = PROJECT) => beginOperation(ctx, projectId, ASKED, IN_FLIGHT);

  it("records the mail in hand under a lease, with the key", async () => {
    const { operationId, leaseToken } = await begin();
    expect(operationId).not.toBe(leaseToken);
    expect(await rowOf(operationId)).toMatchObject({
      projectId: PROJECT,
      kind: "send",
      idempotencyKey: ASKED.key,
      requestHash: ASKED.requestHash,
      state: "running",
      leaseToken,
      leaseUntil: START + LEASE_MS,
      inFlight: [IN_FLIGHT],
      createdAt: START,
    });
  });

  it("is refused while another operation of the project has the key", async () => {
    const held = await newOperation({ idempotency_key: "key", state: "done" });
    clock.now = START + DAY - 1;
    await expect(begin()).rejects.toEqual(refusal(RUNNING, 2));
    expect(await idsLeft()).toEqual([held.id]);
    await begin(OTHER);
    clock.now = START + DAY;
    const { operationId } = await begin();
    expect(await idsLeft()).not.toContain(held.id);
    expect(await rowOf(operationId)).toMatchObject({ projectId: PROJECT, idempotencyKey: "key" });
  });

  it("is 404 for a deleted project; the database's other errors remain what they are", async () => {
    await expect(begin("gone")).rejects.toMatchObject({
      code: "not_found",
      message: "project not found",
    });
    service.d1.before = () => {
      throw new Error("D1 is out of breath");
    };
    await expect(begin()).rejects.toThrow("out of breath");
    service.d1.before = undefined;
    expect(await idsLeft()).toEqual([]);
  });
});

describe("the operation of a key", () => {
  it("is that of its project", async () => {
    const mine = await newOperation({ idempotency_key: "key" });
    await newOperation({ idempotency_key: "other key" });
    await newOperation({ idempotency_key: "key", project_id: OTHER });
    expect(await selectOperationByKey(db, PROJECT, "key")).toEqual([mine]);
    expect(await selectOperationByKey(db, PROJECT, "unknown")).toEqual([]);
  });

  it("gives the key free once it is over and old, and no other does", async () => {
    const rows = [
      { id: "a", idempotency_key: "key", state: "running" },
      { id: "b", idempotency_key: "other key", state: "done" },
      { id: "c", idempotency_key: "key", state: "done", project_id: OTHER },
    ];
    for (const row of rows) await newOperation({ created_at: START - 1, ...row });
    await deleteOldOperation(db, PROJECT, "key", START);
    expect(await idsLeft()).toEqual(["a", "b", "c"]);
    for (const [state, at, left] of [
      ["done", START + 1, 1],
      ["done", START, 0],
    ] as const) {
      await allRows(
        "update send_operations set state = ?, created_at = ? where id = 'a'",
        state,
        at,
      );
      await deleteOldOperation(db, PROJECT, "key", START);
      expect(await idsLeft()).toHaveLength(2 + left);
      if (left === 0) await newOperation({ id: "a", idempotency_key: "key", created_at: START });
    }
  });
});

describe("an abandoned operation", () => {
  const LEASE = { leaseToken: "mine", leaseUntil: START + LEASE_MS };

  it("is found when its lease is over, the oldest first, up to the limit", async () => {
    await newOperation({ id: "b", lease_until: START - 1 });
    await newOperation({ id: "a", lease_until: START - 2 });
    await newOperation({ id: "c" });
    await newOperation({ id: "d", lease_until: START - 3, state: "done" });
    const found = async (limit: number) =>
      (await selectAbandoned(db, START, limit)).map(({ id }) => id);
    expect(await found(9)).toEqual(["a", "b"]);
    expect(await found(1)).toEqual(["a"]);
  });

  it("goes to one worker, and no other operation with it", async () => {
    const [found, twin] = [await newOperation(), await newOperation()];
    const take = () => takeOverOperation(db, found, LEASE, START);
    expect(await take()).toMatchObject([{ id: found.id, state: "running", ...LEASE }]);
    expect(await take()).toEqual([]);
    expect(await rowOf(twin.id)).toEqual(twin);
    const late = START + LEASE_MS; // the new worker has died, too: it is not this one's to take
    expect(await takeOverOperation(db, found, LEASE, late)).toEqual([]);
  });

  it.each([
    ["is over", { state: "done" }],
    ["has a worker", { lease_until: START + 1 }],
  ])("is not one that %s", async (_what, change) => {
    const found = await newOperation(change);
    expect(await takeOverOperation(db, found, LEASE, START)).toEqual([]);
    expect(await rowOf(found.id)).toEqual(found);
  });
});

describe("a lease", () => {
  const config = { leaseMs: 120_000 };
  const world = { now: () => START, newId: () => "token", config };

  it("begins now, with a token of its own, and lasts as long as the settings say", () => {
    expect(newLease(world)).toEqual({ leaseToken: "token", leaseUntil: START + 120_000 });
    expect(leaseEnd(world)).toBe(START + 120_000);
  });

  it("lasts at most 20 seconds if a heartbeat renews it, which comes after a quarter of it", () => {
    expect(renewedLeaseMs({ config })).toBe(20_000);
    expect(renewedLeaseMs({ config: { leaseMs: 10_000 } })).toBe(10_000);
    expect(newLease(world, 20_000).leaseUntil).toBe(START + 20_000);
    expect(heartbeatMs({ config })).toBe(5_000);
  });

  it("is renewed by the next write once a sixth of it is over", () => {
    const short = { ...world, config: { leaseMs: 12_000 } };
    expect(isRenewalDue(short, START + 12_000)).toBe(false);
    expect(isRenewalDue(short, START + 10_001)).toBe(false);
    expect(isRenewalDue(short, START + 10_000)).toBe(true);
    expect(isRenewalDue(short, START)).toBe(true);
  });
});

describe("a held operation", () => {
  const claimOf = ({ id }: OperationRow, leaseToken = "token") => ({ operationId: id, leaseToken });

  it("is changed by its holder alone, and no other operation with it", async () => {
    const [one, twin] = [await newOperation(), await newOperation()];
    const over = await newOperation({ state: "done" });
    const update = (claim: ReturnType<typeof claimOf>) =>
      updateHeldOperation(db, claim, { leaseUntil: START + 3 });
    expect(await update(claimOf(one))).toEqual([{ id: one.id }]);
    for (const claim of [claimOf(one, "theirs"), claimOf(over)])
      expect(await update(claim)).toEqual([]);
    expect([await rowOf(one.id), await rowOf(twin.id), await rowOf(over.id)]).toEqual([
      { ...one, leaseUntil: START + 3 },
      twin,
      over,
    ]);
  });

  it("ends with its answer, and with nothing in hand", async () => {
    const one = await newOperation({ in_flight: JSON.stringify([IN_FLIGHT]) });
    expect(await finishOperation(db, claimOf(one), { sent: 1 })).toEqual([{ id: one.id }]);
    expect(await rowOf(one.id)).toEqual({
      ...one,
      state: "done",
      inFlight: [],
      result: { sent: 1 },
    });
  });

  it("is a condition: this operation, with this lease, running", async () => {
    const [one, over] = [await newOperation(), await newOperation({ state: "done" })];
    expect(await holds(operationHeld(claimOf(one)))).toBe(true);
    for (const claim of [
      claimOf(one, "theirs"),
      claimOf(over),
      { operationId: "unknown", leaseToken: "token" },
    ])
      expect(await holds(operationHeld(claim))).toBe(false);
  });
});

describe("the nightly removal of operations", () => {
  it("takes the old ones that are not running, so many at a time", async () => {
    const rows = [
      { id: "a", state: "done", created_at: START - 1 },
      { id: "b", state: "done", created_at: START - 1 },
      { id: "c", state: "done" },
      { id: "d", state: "running", created_at: START - 1 },
    ];
    for (const row of rows) await newOperation(row);
    await deleteOperationsBefore(db, START, 1);
    expect(await idsLeft()).toHaveLength(3);
    await deleteOperationsBefore(db, START, 9);
    expect(await idsLeft()).toEqual(["c", "d"]);
  });
});

const suppress = (project_id: string, email: string) =>
  insertRow("suppressions", {
    id: crypto.randomUUID(),
    project_id,
    email,
    reason: "manual",
    source: "",
    created_at: 1,
    last_seen_at: 1,
  });

describe("the suppression of a subscriber", () => {
  it("is found by the address of this subscriber, on the list of its own project", async () => {
    for (const id of ["a", "b", "c"]) await insertSubscriber(id, PROJECT);
    await insertSubscriber("d", OTHER);
    await suppress(PROJECT, "b@any.test");
    await suppress(OTHER, "c@any.test");
    for (const project of [PROJECT, OTHER]) await suppress(project, "d@any.test");
    const find = async (id: string, project = PROJECT) =>
      (await selectSubscriberSuppression(db, project, id)).map(({ email }) => email);
    expect([await find("a"), await find("b"), await find("c"), await find("d")]).toEqual([
      [],
      ["b@any.test"],
      [],
      [],
    ]);
    expect(await find("d", OTHER)).toEqual(["d@any.test"]);
  });
});

const addressOf = (text: string) => {
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.address;
};
const mailTo = (to: string, subject = "Hello"): MailFacts => ({
  logId: `log of ${to}`,
  to: { address: addressOf(to), name: "" },
  subject,
  tags: { kind: "test" },
  templateId: "template",
  subscriberId: "subscriber",
  broadcastId: "broadcast",
});
const sentTo = (email: string) => ({ email, status: "sent", error: null }) as const;
const bounced = (email: string) => ({ email, status: "bounced", error: "550 no" }) as const;

describe("a settle", () => {
  const settle = (mails: SettledMail[], when?: SQL) =>
    runBatch(db, settleStatements(deps, PROJECT, mails, when));
  const logged = () => allRows("select * from logged_mails order by id");
  const seenAt = async () =>
    Object.fromEntries(
      (await allRows("select project_id, email, last_seen_at from suppressions")).map((row) => [
        `${String(row["project_id"])}: ${String(row["email"])}`,
        row["last_seen_at"],
      ]),
    );

  it("logs each mail once with its facts, and those of its copies that did not go out", async () => {
    const [plain, mixed] = ["a@any.test", "b@any.test"];
    const mails = [
      { mail: mailTo(plain), outcome: { main: sentTo(plain), copies: [sentTo("c@any.test")] } },
      {
        mail: mailTo(mixed, "x".repeat(1_000)),
        outcome: {
          main: failed(mixed, "451 later"),
          copies: [sentTo("d@any.test"), bounced("e@any.test"), suppressedOutcome("f@any.test")],
        },
      },
    ];
    await settle(mails);
    await settle(mails);
    const facts = {
      project_id: PROJECT,
      subscriber_id: "subscriber",
      template_id: "template",
      broadcast_id: "broadcast",
      tags: '{"kind":"test"}',
      sent_at: START,
    };
    const [first, second] = await logged();
    expect(await logged()).toHaveLength(2);
    expect(first).toMatchObject({
      ...facts,
      id: `log of ${plain}`,
      to_email: plain,
      subject: "Hello",
      status: "sent",
      error: null,
      copies: null,
    });
    const copies = [
      { email: "e@any.test", status: "bounced", error: "550 no" },
      suppressedOutcome("f@any.test"),
    ];
    expect(second).toMatchObject({
      ...facts,
      subject: "x".repeat(998),
      status: "failed",
      error: "451 later",
      copies: JSON.stringify(copies.map(({ email, status, error }) => ({ email, status, error }))),
    });
  });

  it("suppresses the addresses that bounced, the main one and copies alike", async () => {
    const [main, other] = ["a@any.test", "b@any.test"];
    await settle([{ mail: mailTo(main), outcome: { main: bounced(main), copies: [] } }]);
    const copies = [bounced("c@any.test"), failed("d@any.test", "554 no")];
    await settle([{ mail: mailTo(other), outcome: { main: sentTo(other), copies } }]);
    const third = { main: sentTo("e@any.test"), copies: [failed("f@any.test", "554 no")] };
    await settle([{ mail: mailTo("e@any.test"), outcome: third }]);
    expect((await logged())[2]).toMatchObject({
      copies: '[{"email":"f@any.test","status":"failed","error":"554 no"}]',
    });
    expect(await seenAt()).toEqual({
      [`${PROJECT}: a@any.test`]: START,
      [`${PROJECT}: c@any.test`]: START,
    });
  });

  it("notes that a send hit an entry of its project's list, and of no other", async () => {
    const [main, other] = ["a@any.test", "b@any.test"];
    for (const email of [main, other, "c@any.test"]) await suppress(PROJECT, email);
    await suppress(OTHER, main);
    const mail = mailTo(main);
    await settle([{ mail, outcome: { main: suppressedOutcome(main), copies: [sentTo(other)] } }]);
    const untouched = {
      [`${PROJECT}: ${other}`]: 1,
      [`${PROJECT}: c@any.test`]: 1,
      [`${OTHER}: ${main}`]: 1,
    };
    expect(await seenAt()).toEqual({ [`${PROJECT}: ${main}`]: START, ...untouched });
  });

  it("logs and suppresses nothing when its condition is false", async () => {
    const outcome = { main: bounced("a@any.test"), copies: [] };
    await settle([{ mail: mailTo("a@any.test"), outcome }], sql`1 = 0`);
    expect([await logged(), await seenAt()]).toEqual([[], {}]);
  });

  it("knows the mails in hand by the facts that their log entries need", () => {
    expect(inFlightOf(mailTo("a@any.test", "x".repeat(1_000)))).toEqual({
      logId: "log of a@any.test",
      toEmail: "a@any.test",
      subject: "x".repeat(998),
      templateId: "template",
      subscriberId: "subscriber",
    });
  });

  it("is repeated when D1 fails, and not when the service itself refuses it", async () => {
    const tries = async (error: Error) => {
      let count = 0;
      service.d1.before = () => {
        if (++count === 1) throw error;
      };
      const running = runSettle(deps, [], [db.run(sql`select 1`)]);
      const result = await running.then(
        () => "settled",
        (thrown: unknown) => thrown,
      );
      service.d1.before = undefined;
      return [count, result];
    };
    expect(await tries(new Error("D1 is out of breath"))).toEqual([2, "settled"]);
    const refused = conflict("taken over");
    expect(await tries(refused)).toEqual([1, refused]);
  });
});
