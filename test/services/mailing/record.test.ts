/*
 * The writes that end a send, against rows of the tests: what each statement logs and suppresses,
 * and what it leaves alone.
 */
import { env } from "cloudflare:test";
import { sql, type SQL } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase, runBatch } from "../../../src/db/client.ts";
import { heartbeatMs, leaseEnd, newLease } from "../../../src/db/lease.ts";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { failed, suppressedOutcome } from "../../../src/services/mailing/outcome.ts";
import { selectSubscriberSuppression } from "../../../src/services/mailing/operations/operation-queries.ts";
import { writeRecord } from "../../../src/services/mailing/write-record.ts";
import {
  inFlightOf,
  recordStatements,
  type MailFacts,
  type LoggedOutcome,
} from "../../../src/services/mailing/record.ts";
import { allRows, insertRow, insertSubscriber } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { standingClock } from "../../support/times.ts";
import { deathOfWorker } from "../../support/refusals.ts";

const START = Date.UTC(2026, 9, 1);
const clock = standingClock(START);
const service = createService({}, { now: () => clock.now });
const deps = await service.deps();
const db = openDatabase(env.DB);
const [PROJECT, OTHER] = ["project", "other project"];

beforeEach(async () => {
  for (const table of ["logged_mails", "suppressions", "subscribers", "projects"])
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

describe("a lease", () => {
  const config = { leaseMs: 120_000 };
  const world = { now: () => START, newId: () => "token", config };

  it("begins now, with a token of its own, and lasts as long as the settings say", () => {
    expect(newLease(world)).toEqual({ leaseToken: "token", leaseUntil: START + 120_000 });
    expect(leaseEnd(world)).toBe(START + 120_000);
  });

  it("has a heartbeat after a quarter of it, or of 20 seconds", () => {
    expect(heartbeatMs({ config })).toBe(5_000);
    expect(heartbeatMs({ config: { leaseMs: 10_000 } })).toBe(2_500);
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

describe("a record", () => {
  const finish = (mails: LoggedOutcome[], when?: SQL) =>
    runBatch(db, recordStatements(deps, PROJECT, mails, when));
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
    await finish(mails);
    await finish(mails);
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
    await finish([{ mail: mailTo(main), outcome: { main: bounced(main), copies: [] } }]);
    const copies = [bounced("c@any.test"), failed("d@any.test", "554 no")];
    await finish([{ mail: mailTo(other), outcome: { main: sentTo(other), copies } }]);
    const third = { main: sentTo("e@any.test"), copies: [failed("f@any.test", "554 no")] };
    await finish([{ mail: mailTo("e@any.test"), outcome: third }]);
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
    await finish([{ mail, outcome: { main: suppressedOutcome(main), copies: [sentTo(other)] } }]);
    const untouched = {
      [`${PROJECT}: ${other}`]: 1,
      [`${PROJECT}: c@any.test`]: 1,
      [`${OTHER}: ${main}`]: 1,
    };
    expect(await seenAt()).toEqual({ [`${PROJECT}: ${main}`]: START, ...untouched });
  });

  it("logs and suppresses nothing when its condition is false", async () => {
    const outcome = { main: bounced("a@any.test"), copies: [] };
    await finish([{ mail: mailTo("a@any.test"), outcome }], sql`1 = 0`);
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
      const running = writeRecord(deps, [], [db.run(sql`select 1`)]);
      const result = await running.then(
        () => "recorded",
        (thrown: unknown) => thrown,
      );
      service.d1.before = undefined;
      return [count, result];
    };
    expect(await tries(new Error("D1 is out of breath"))).toEqual([2, "recorded"]);
    const refused = deathOfWorker("taken over");
    expect(await tries(refused)).toEqual([1, refused]);
  });
});
