/* Promises of a broadcast: its audience, its retries and its leases. */
import { describe, expect, it } from "vitest";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { sendChunks } from "../../../src/services/mailing/index.ts";
import { TURN_LIMITS } from "../../../src/services/mailing/sources/broadcast/attempts.ts";
import {
  ASYNC,
  expectNobodyLost,
  hasNobodyTwice,
  isSettle,
  manualService,
  plannedChunk,
  scenario,
  type Scenario,
  stalledApp,
  takeChunk,
} from "../../support/broadcasting.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, unique, type Service } from "../../support/service.ts";
import { EMPTY_PLAN, storeBroadcast } from "../../support/stored-broadcasts.ts";
import { deathOfWorker } from "../../support/refusals.ts";

const LEASE_MS = 20_000;

/** Id above those of all earlier subscribers. */
const laterId = () => `f${crypto.randomUUID().slice(1)}`;

describe("the audience of a broadcast", () => {
  it("is fixed at its start: a subscriber who joins before the planning gets no mail", async () => {
    const { deps, id, news, settle } = await scenario(3);
    const late = `late.${news.from}`;
    await news.subscribe(1, () => late, "active", laterId());
    await planBroadcast(deps, id);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 3, failed: 0 });
    const received = await news.received();
    expect(received).toHaveLength(3);
    expect(received).not.toContain(late);
  });

  it("is fixed for a chunk in progress, too: a subscriber who joins then gets no mail", async () => {
    const all = await scenario(3);
    const { deps, id, news, settle } = all;
    const chunk = await plannedChunk(all);
    await news.subscribe(1, () => `late.${news.from}`, "active", laterId());
    await sendChunks(deps, chunk);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 3, failed: 0 });
    expect(await news.received()).toHaveLength(3);
  });

  it("of those who joined since another one reads the log once, however many broadcasts they got", async () => {
    const { deps, news, service } = await scenario(1);
    await allRows(
      `insert into log_entries (id, project_id, to_email, subject, status, sent_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 400)
        select 'mail ' || i, unhex(?1, '-'), 'a@any.test', 'Hi', 0, 1 + i from n`,
      news.id,
    );
    const plan = { ...EMPTY_PLAN, resend: { of: "0", to: "joined" } };
    const rowsOf = async () => {
      const columns = { project_id: news.id, plan: JSON.stringify(plan), from_id: "~" };
      const { id } = await storeBroadcast(service, { ...columns, cutoff_id: "~", planned_id: "" });
      service.d1.reset();
      await planBroadcast(deps, id);
      return service.d1.rowsRead;
    };
    const first = await rowsOf();
    for (let n = 0; n < 3; n += 1) await rowsOf();
    expect((await rowsOf()) - first).toBeLessThan(100);
  });

  it("of those who joined since another one names nobody who waits for another such broadcast", async () => {
    const { deps, news, service } = await scenario(3);
    const plan = JSON.stringify({ ...EMPTY_PLAN, resend: { of: "0", to: "joined" } });
    const columns = { project_id: news.id, plan, from_id: "0", cutoff_id: "~", planned_id: "" };
    const made = [await storeBroadcast(service, columns), await storeBroadcast(service, columns)];
    const named = async () => {
      const ids = made.map(({ id }) =>
        allRows<{ n: number }>(
          "select coalesce(sum(json_array_length(again)), 0) as n from broadcast_chunks where broadcast_id = ?",
          id,
        ),
      );
      return (await Promise.all(ids)).map(([row]) => row?.n);
    };
    for (const { id } of made) await planBroadcast(deps, id);
    expect(await named()).toEqual([3, 0]);
  });
});

describe("the progress of a broadcast", () => {
  it("is read at one moment, alone and in a list, so its counts never fall when a chunk ends", async () => {
    const { service, owner, id, news } = await scenario(1);
    for (const path of [`broadcasts/${id}`, "broadcasts"]) {
      service.d1.reset();
      const { status } = await owner.get(`${news.path}/${path}`);
      expect(status).toBe(200);
      expect(service.d1.roundTrips).toBe(2); // the check of the caller, and the read
    }
  });
});

describe("a broadcast of a project", () => {
  const suppress = (service: Service, projectId: string, email: string) =>
    service.env.DB.prepare(
      "insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at) values (?, ?, ?, 'manual', '', 1, 1)",
    )
      .bind(unique("s"), projectId, email)
      .run();

  it("goes to an address that another project suppresses, and not to one on its own list", async () => {
    const all = await scenario(3);
    const { deps, id, news, owner, service, settle } = all;
    const other = await owner.newProject();
    await suppress(service, other.id, `s0.${news.from}`);
    await suppress(service, news.id, `s1.${news.from}`);
    await planBroadcast(deps, id);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 2, suppressed: 1 });
    const received = await news.received();
    expect(received.toSorted()).toEqual([`s0.${news.from}`, `s2.${news.from}`]);
  });

  it("keeps a subject without variables once in the log, and shows it with each mail", async () => {
    const subject = "Open again & more";
    const { id, news, owner, service, settle } = await scenario(
      2,
      async ({ path, templateId }, by) => by.put(`${path}/templates/${templateId}`, { subject }),
    );
    await settle();
    const { results } = await service.env.DB.prepare(
      "select subject from log_entries where broadcast_id = unhex(?, '-')",
    )
      .bind(id)
      .all();
    expect(results).toEqual([{ subject: null }, { subject: null }]);
    const { body } = await owner.get<{ logs: Record<string, unknown>[] }>(`${news.path}/logs`);
    expect(body.logs.map((mail) => mail["subject"])).toEqual([subject, subject]);
  });

  it("is 404 under another project's path, and continues", async () => {
    const all = await scenario(3);
    const { deps, id, news, owner, service, settle } = all;
    const other = await owner.newProject(CAPTURING);
    await planBroadcast(deps, id);
    for (const act of ["pause", "resume", "cancel"])
      expect((await owner.post(`/projects/${other.id}/broadcasts/${id}/${act}`)).status).toBe(404);
    expect((await owner.get(`/projects/${other.id}/broadcasts/${id}`)).status).toBe(404);
    expect((await owner.get(`/projects/${other.id}/broadcasts`)).body).toMatchObject({
      broadcasts: [],
    });
    const told = await service.env.DB.prepare(
      "select count(*) as n from audit_entries where scope_id = ? and action like 'broadcast.%'",
    )
      .bind(other.id)
      .first<number>("n");
    expect(told).toBe(0);
    expect(await news.progress(id)).toMatchObject({ state: "sending" });
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 3 });
  });
});

describe("the rate limit of broadcasts", () => {
  it("is 5 calls a minute for a project, separate from its sends", async () => {
    const { service } = manualService();
    const owner = await service.newOwner();
    const { id } = await owner.newProject();
    const call = async (path: string) => (await owner.post(`/projects/${id}/${path}`, {})).status;
    for (let n = 0; n < 6; n++) expect(await call("send")).toBe(400);
    const statuses = await Promise.all(Array.from({ length: 7 }, () => call("broadcast")));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([400, 400, 400, 400, 400, 429, 429]);
    expect(await call("send")).toBe(400);
  });
});

describe("a resume", () => {
  const chunks = async (service: Service, id: string) => {
    const { results } = await service.env.DB.prepare(
      "select state, due_at from broadcast_chunks where broadcast_id = ? order by after_id",
    )
      .bind(id)
      .all<{ state: string; due_at: number }>();
    return results;
  };

  it("takes no chunk from the worker that still holds it", async () => {
    const all = await scenario(60);
    const { deps, id, news, owner, queued, service, work } = all;
    const chunk = await plannedChunk(all);
    const [claimed, isResumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const meanwhile = () => {
      claimed.resolve();
      return isResumed.promise;
    };
    const slow = sendChunks(stalledApp(all, { nth: 2, when: "after", meanwhile }), chunk);
    await claimed.promise;
    const [before] = await chunks(service, id);
    expect((await owner.post(`${news.path}/broadcasts/${id}/pause`)).status).toBe(200);
    queued.length = 0;
    expect((await owner.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    expect(await chunks(service, id)).toEqual([before]);
    await sendChunks(deps, chunk); // another worker holds it
    expect(await news.logs()).toEqual([]);
    isResumed.resolve();
    await slow;
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 60, failed: 0 });
    expect(await expectNobodyLost(all, 60)).toBe(0);
  });

  it("wakes only the chunks of its own broadcast: those of others still wait for their server", async () => {
    const puttingOff = (news: {
      from: string;
      subscribe: (n: number, address: (n: number) => string) => Promise<void>;
    }) => news.subscribe(1, (n) => `rcpt.451.4.7.1.r${n}.${news.from}`);
    const all = await scenario(1, puttingOff);
    const { deps, id, news, owner, queued, service } = all;
    await sendChunks(deps, await plannedChunk(all));
    const second = String((await news.start(ASYNC)).body["broadcast_id"]);
    queued.length = 0;
    await planBroadcast(deps, second);
    await sendChunks(deps, takeChunk(queued));
    const waiting = await chunks(service, second);
    expect(waiting).toMatchObject([{ state: "pending" }]);
    await owner.post(`${news.path}/broadcasts/${id}/pause`);
    await owner.post(`${news.path}/broadcasts/${id}/resume`);
    expect(await chunks(service, second)).toEqual(waiting);
    expect((await chunks(service, id))[0]?.due_at).toBeLessThan(waiting[0]?.due_at ?? 0);
  });
});

describe("a recipient that the server defers", () => {
  it("is tried four times in all, after waits of 30 s, 2 min and 10 min, and not a moment before", async () => {
    const all = await scenario(1, (news) =>
      news.subscribe(1, (n) => `rcpt.451.4.7.1.p${n}.${news.from}`),
    );
    const { deps, clock, id, news, queued, service } = all;
    const dueAt = async () =>
      service.env.DB.prepare("select due_at from broadcast_chunks where broadcast_id = ?")
        .bind(id)
        .first<number>("due_at");
    const chunk = await plannedChunk(all);
    const frozen = Date.now();
    const at = { now: frozen };
    const timed = { ...deps, now: () => at.now };
    const delays: (number | undefined)[] = [];
    const broadcastQueue = {
      sendBatch: async (
        messages: Iterable<{ body: { isGuard?: boolean }; delaySeconds?: number }>,
      ) => {
        const waking = Array.from(messages).filter(({ body }) => !body.isGuard);
        delays.push(...waking.map(({ delaySeconds }) => delaySeconds));
      },
    } as unknown as Queue;
    at.now = frozen + 60_000;
    for (const waitMs of [30_000, 120_000, 600_000]) {
      await sendChunks({ ...timed, broadcastQueue }, chunk);
      expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 1, failed: 0 });
      expect(await dueAt()).toBe(at.now + waitMs);
      at.now += waitMs - 10_000; // beyond the tolerance for clocks
      await sendChunks({ ...timed, broadcastQueue }, chunk);
      expect(await dueAt()).toBe(at.now + 10_000);
      at.now += 10_000;
    }
    expect(delays).toEqual([30, 120, 600]);
    await sendChunks({ ...timed, broadcastQueue }, chunk);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1, failed: 1 });
    expect(await news.received()).toHaveLength(1);
    expect(queued).toEqual([]);
    expect(clock.aheadMs).toBe(0);
  });
});

/**
 * Returns a worker whose lease ends before its nth write. A successor then claims the chunk, and
 * waits until `letSuccessorGoOn`, which resolves when the successor is done.
 */
function overtakenAt(all: Scenario, chunk: Parameters<typeof sendChunks>[1], nth: number) {
  const [tookOver, lateIsOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const CLAIM = 1;
  const successor = stalledApp(all, {
    nth: CLAIM,
    when: "after",
    meanwhile: () => {
      tookOver.resolve();
      return lateIsOver.promise;
    },
  });
  let sending: Promise<unknown> | undefined;
  const late = stalledApp(all, {
    nth,
    when: "before",
    meanwhile: () => {
      all.clock.aheadMs += LEASE_MS;
      sending = sendChunks(successor, chunk);
      return tookOver.promise;
    },
  });
  const letSuccessorGoOn = async () => {
    expect(sending).toBeDefined();
    lateIsOver.resolve();
    await sending;
  };
  return { late, letSuccessorGoOn };
}

describe("a chunk whose worker died", () => {
  it.each([
    [2, "before"],
    [2, "after"],
    [3, "before"],
    [3, "after"],
    [9, "before"],
    [9, "after"],
  ] as const)("at its write %i, %s it, leaves at most 16 unknown", async (nth, when) => {
    const all = await scenario(120);
    const { clock, deliverGuards, id, news, work } = all;
    const chunk = await plannedChunk(all);
    const meanwhile = async () => {
      throw deathOfWorker("the worker died here");
    };
    const mortal = stalledApp(all, { nth, when, meanwhile });
    await expect(sendChunks(mortal, chunk)).rejects.toThrow("died");
    clock.aheadMs += LEASE_MS + 5_000;
    deliverGuards();
    await work();
    const unknown = await expectNobodyLost(all, 120);
    expect(unknown).toBeLessThanOrEqual(16);
    const received = new Set(await news.received());
    const logs = await news.logs();
    const sent = logs.filter(({ status }) => status === "sent");
    expect(sent).toHaveLength(120 - unknown);
    expect(sent.filter(({ to_email: email }) => !received.has(email))).toEqual([]);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 120 - unknown });
  });

  it("goes on within 30 seconds by the message that its worker left, without any sweep", async () => {
    const all = await scenario(230);
    const { clock, deliverGuards, guards, id, news, queued, service, work } = all;
    clock.stoppedAt = Date.now(); // a busy machine takes seconds, which are no part of the 30
    const chunk = await plannedChunk(all);
    let settles = 0;
    service.d1.before = (sql) => {
      if (isSettle(sql) && ++settles === 2) throw deathOfWorker("the worker died here");
    };
    await expect(sendChunks(all.deps, chunk)).rejects.toThrow("died");
    service.d1.before = undefined;
    expect(queued).toEqual([]);
    clock.aheadMs += LEASE_MS - 1_000;
    deliverGuards();
    expect(queued).toEqual([]); // the worker may still live
    clock.aheadMs += 5_000;
    deliverGuards();
    await work();
    const unknown = await expectNobodyLost(all, 230);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 230 - unknown });
    clock.aheadMs += LEASE_MS + 5_000;
    deliverGuards();
    await work();
    expect(guards).toEqual([]); // a finished chunk needs no guard
  });

  it("stays with a worker that lives, and its guard comes again when the lease should end", async () => {
    const all = await scenario(20);
    const { clock, deps, deliverGuards, guards, id, news, queued } = all;
    const chunk = await plannedChunk(all);
    const [claimed, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const meanwhile = () => {
      claimed.resolve();
      return isOver.promise;
    };
    const longTurn = { ...TURN_LIMITS, workMs: 10 * LEASE_MS };
    const stalled = stalledApp(all, { nth: 2, when: "after", meanwhile });
    const slow = sendChunks(stalled, chunk, longTurn);
    await claimed.promise;
    clock.aheadMs += LEASE_MS / 2;
    await all.service.env.DB.prepare(
      "update broadcast_chunks set due_at = ? where broadcast_id = ?",
    )
      .bind(Date.now() + clock.aheadMs + LEASE_MS, id) // as a heartbeat does
      .run();
    clock.aheadMs += LEASE_MS / 2 + 2_000;
    deliverGuards();
    expect(queued).toEqual([{ ...chunk, isGuard: true }]);
    await sendChunks(deps, { ...chunk, isGuard: true });
    expect(guards).toHaveLength(1);
    const wait = (guards[0]?.at ?? 0) - Date.now() - clock.aheadMs;
    expect(wait).toBeGreaterThan(LEASE_MS / 2 - 5_000);
    expect(wait).toBeLessThanOrEqual(LEASE_MS / 2 + 2_000);
    await sendChunks(deps, chunk); // a message that is no guard ends here
    expect(guards).toHaveLength(1);
    isOver.resolve();
    await slow;
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 20, failed: 0 });
    expect(await expectNobodyLost(all, 20)).toBe(0);
  });
});

describe("a worker that outlives its lease", () => {
  it("settles nothing while its successor still sends", async () => {
    const all = await scenario(230);
    const { deps, id, news } = all;
    const chunk = await plannedChunk(all);
    const FIRST_SETTLE = 3;
    const { late, letSuccessorGoOn } = overtakenAt(all, chunk, FIRST_SETTLE);
    await expect(sendChunks(late, chunk)).rejects.toMatchObject({ code: "chunk_taken_over" });
    expect(await news.logs()).toEqual([]);
    expect(await news.stats()).toMatchObject({ total: 0 });
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 0, failed: 0 });
    await letSuccessorGoOn();
    const unknown = await expectNobodyLost(all, 230);
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(16);
    expect(await news.progress(id)).toMatchObject({
      state: "done",
      sent: 230 - unknown,
      failed: unknown,
    });
    expect(hasNobodyTwice(await news.received())).toBe(true);
    await expect(sendChunks(deps, chunk)).resolves.toBe(false);
  });

  it("counts nothing when it ends a chunk that another worker has taken over", async () => {
    const all = await scenario(10);
    const { id, news } = all;
    const chunk = await plannedChunk(all);
    const END = 4; // after its claim, its group and that group's settle
    const { late, letSuccessorGoOn } = overtakenAt(all, chunk, END);
    await sendChunks(late, chunk);
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 10 });
    await letSuccessorGoOn();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 10, failed: 0 });
    expect(await expectNobodyLost(all, 10)).toBe(0);
  });
});
