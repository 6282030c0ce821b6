/*
 * The rows of pending mails: when each is due, whom the sweep wakes, and when the service gives one
 * up. pending-mails.test.ts shows what arrives.
 */
import { beforeEach, afterEach, describe, expect, it, vi } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import type { PendingMailMessage } from "../../../src/queues/messages.ts";
import {
  addPendingMail,
  attemptPendingMail,
  holdBackPendingMail,
  putOffPendingMail,
  removePendingMail,
  sweepPendingMails,
  wakePendingMails,
  type PendingTemplate,
} from "../../../src/services/subscribers/pending-mails.ts";
import { allRows, insertRow, insertSubscriber, type Row } from "../../support/rows.ts";
import { createService, type Service } from "../../support/service.ts";
import { HOUR, MINUTE, standingClock } from "../../support/times.ts";

const START = Date.UTC(2026, 9, 1);
const clock = standingClock(START);
const queued: unknown[] = [];
let refusal: Error | undefined;
const MAIL_QUEUE = {
  sendBatch: async (messages: { body: PendingMailMessage }[]) => {
    if (refusal) throw refusal;
    queued.push(messages);
  },
} as unknown as Service["env"]["MAIL_QUEUE"];
const deps = await createService({ MAIL_QUEUE }, { now: () => clock.now }).deps();

beforeEach(async () => {
  queued.length = 0;
  refusal = undefined;
  for (const table of ["pending_mails", "subscribers"]) await allRows(`delete from ${table}`);
});
afterEach(() => void vi.restoreAllMocks());

const pending = (id: string, change: Row = {}) =>
  insertRow("pending_mails", {
    id,
    project_id: "project",
    subscriber_id: "subscriber",
    due_at: START,
    created_at: START,
    ...change,
  });
const rowOf = async (id: string) =>
  (await allRows("select attempts, due_at, created_at from pending_mails where id = ?", id))[0];
const idsLeft = async () =>
  (await allRows("select id from pending_mails order by id")).map(({ id }) => id);
const messageOf = (pendingMailId: string) => ({ body: { type: "pending_mail", pendingMailId } });

describe("a new pending mail", () => {
  const add = async (subscriberId: string, template: PendingTemplate, project = "project") => {
    const { id, statement } = addPendingMail(deps, project, subscriberId, template);
    await runBatch(deps.db, [statement]);
    const [row] = await allRows("select * from pending_mails where id = ?", id);
    return row;
  };
  beforeEach(async () => {
    await insertSubscriber("subscriber", "project");
    await insertSubscriber("neighbour", "other project");
  });

  it("names its template by id or by name, and is due by itself two minutes later", async () => {
    expect(await add("subscriber", { id: "template", isPublic: false })).toMatchObject({
      project_id: "project",
      subscriber_id: "subscriber",
      template_id: "template",
      template_name: null,
      is_public: 0,
      attempts: 0,
      due_at: START + 2 * MINUTE,
      created_at: START,
    });
    expect(await add("subscriber", { name: "welcome", isPublic: true })).toMatchObject({
      template_id: null,
      template_name: "welcome",
      is_public: 1,
    });
  });

  it("is not stored without its subscriber, nor for another project's", async () => {
    expect(await add("nobody", { name: "welcome", isPublic: false })).toBeUndefined();
    expect(await add("neighbour", { name: "welcome", isPublic: false })).toBeUndefined();
  });
});

describe("the message of a pending mail", () => {
  it("goes out once for each mail, and not at all for none", async () => {
    await wakePendingMails(deps, []);
    expect(queued).toEqual([]);
    await wakePendingMails(deps, ["a"]);
    await wakePendingMails(deps, ["b", "c"]);
    expect(queued).toEqual([[messageOf("a")], [messageOf("b"), messageOf("c")]]);
  });

  it("may be refused by the queue, which is logged and stops nobody", async () => {
    refusal = new Error("the queue is full");
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    await wakePendingMails(deps, ["a", "b"]);
    const lines = warned.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    const event = "pending_mail_wake_refused";
    expect(lines).toEqual([{ level: "warn", event, mails: 2, error: "the queue is full" }]);
  });
});

describe("the sweep of pending mails", () => {
  const sweep = async () => {
    queued.length = 0;
    const count = await sweepPendingMails(deps);
    const ids = (queued as ReturnType<typeof messageOf>[][])
      .flat()
      .map(({ body }) => body.pendingMailId);
    expect(ids).toHaveLength(count);
    return ids.toSorted();
  };

  it("wakes the due ones, and each again only two minutes later", async () => {
    await pending("a", { due_at: START - HOUR });
    await pending("b");
    await pending("c", { due_at: START + 1 });
    expect(await sweep()).toEqual(["a", "b"]);
    expect(await rowOf("a")).toMatchObject({ due_at: START + 2 * MINUTE });
    expect(await sweep()).toEqual([]);
    expect(queued).toEqual([]);
    clock.now += 2 * MINUTE;
    expect(await sweep()).toEqual(["a", "b", "c"]);
  });

  it("wakes 60 of a project and 100 in all, the oldest first, and the projects take turns", async () => {
    const ofProject = (word: string, count: number) =>
      allRows(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
         insert into pending_mails (id, project_id, subscriber_id, due_at, created_at)
         select ?1 || '-' || (1000 - i), ?1, 's', ?3 - i, ?3 from n`,
        word,
        count,
        START,
      );
    await ofProject("a", 80);
    expect(await sweep()).toEqual(Array.from({ length: 60 }, (_, n) => `a-${920 + n}`));
    await ofProject("b", 70);
    await ofProject("c", 70);
    const woken = await sweep();
    const countOf = (word: string) => woken.filter((id) => id.startsWith(word)).length;
    expect([countOf("a"), countOf("b"), countOf("c")]).toEqual([20, 40, 40]);
    expect(woken).toContain("b-930"); // its oldest
    expect(woken).not.toContain("b-999");
  });
});

describe("an attempt at a pending mail", () => {
  it("moves the next one 1, 3, 10, 30, 60, 120, 240 and 360 minutes away, and is the last then", async () => {
    await pending("a");
    await pending("b");
    for (const [nth, minutes] of [1, 3, 10, 30, 60, 120, 240, 360].entries()) {
      const attempt = await attemptPendingMail(deps, "a");
      expect(attempt).toMatchObject({ kind: "pending", mail: { id: "a", attempts: nth + 1 } });
      const dueAt = START + minutes * MINUTE;
      expect(await rowOf("a")).toEqual({ attempts: nth + 1, due_at: dueAt, created_at: START });
    }
    expect(await rowOf("b")).toMatchObject({ attempts: 0, due_at: START });
    const logged = vi.spyOn(console, "error").mockReturnValue();
    expect(await attemptPendingMail(deps, "a")).toEqual({ kind: "settled" });
    expect(JSON.parse(String(logged.mock.calls[0]?.[0]))).toEqual({
      level: "error",
      event: "pending_mail_given_up",
      projectId: "project",
      subscriberId: "subscriber",
      attempts: 9,
    });
    expect(await idsLeft()).toEqual(["b"]);
  });

  it("is none when the mail is gone, and the last 23 hours after its begin", async () => {
    expect(await attemptPendingMail(deps, "gone")).toEqual({ kind: "settled" });
    vi.spyOn(console, "error").mockReturnValue();
    await pending("a", { created_at: START - 23 * HOUR + 1 });
    await pending("b", { created_at: START - 23 * HOUR });
    expect(await attemptPendingMail(deps, "a")).toMatchObject({ kind: "pending" });
    expect(await attemptPendingMail(deps, "b")).toEqual({ kind: "settled" });
    expect(await idsLeft()).toEqual(["a"]);
  });

  it("that a limit holds back does not count, and the time of the mail starts when it is due", async () => {
    await pending("a", { attempts: 2, created_at: START - HOUR });
    await holdBackPendingMail(deps, "a", { waitMs: 5 * MINUTE });
    expect(await rowOf("a")).toEqual({
      attempts: 1,
      due_at: START + 5 * MINUTE,
      created_at: START + 5 * MINUTE,
    });
  });

  it("that failed for now leaves the mail under another id; one that ended removes it", async () => {
    await pending("a", { attempts: 1 });
    await pending("b");
    await putOffPendingMail(deps, "a");
    const [other, b] = await idsLeft();
    expect([other, b]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), "b"]);
    expect(await rowOf(String(other))).toMatchObject({ attempts: 1, due_at: START });
    await removePendingMail(deps, "b");
    expect(await idsLeft()).toEqual([other]);
  });
});
