/* Promises of a broadcast: its audience, its resumption and its retries. */
import { describe, expect, it } from "vitest";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import {
  ASYNC,
  expectNobodyLost,
  manualService,
  scenario,
  stalledApp,
} from "../../support/broadcasting.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, unique, type Service } from "../../support/service.ts";
import { EMPTY_PLAN, storeBroadcast } from "../../support/stored-broadcasts.ts";

/** Id above those of all earlier subscribers. */
const laterId = () => `f${crypto.randomUUID().slice(1)}`;

describe("the audience of a broadcast", () => {
  it("is fixed at its start: a subscriber who joins before the planning gets no mail", async () => {
    const { id, news, finish } = await scenario(3);
    const late = `late.${news.from}`;
    await news.subscribe(1, () => late, "active", laterId());
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 3, failed: 0 });
    const received = await news.received();
    expect(received).toHaveLength(3);
    expect(received).not.toContain(late);
  });

  it("is fixed for a chunk in progress, too: a subscriber who joins then gets no mail", async () => {
    const { deps, id, news, run } = await scenario(3);
    await planBroadcast(deps, id);
    await news.subscribe(1, () => `late.${news.from}`, "active", laterId());
    await run();
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
    const { deps, id, news, owner, service, finish } = all;
    const other = await owner.newProject();
    await suppress(service, other.id, `s0.${news.from}`);
    await suppress(service, news.id, `s1.${news.from}`);
    await planBroadcast(deps, id);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 2, suppressed: 1 });
    const received = await news.received();
    expect(received.toSorted()).toEqual([`s0.${news.from}`, `s2.${news.from}`]);
  });

  it("keeps a subject without variables once in the log, and shows it with each mail", async () => {
    const subject = "Open again & more";
    const { id, news, owner, service, finish } = await scenario(
      2,
      async ({ path, templateId }, by) => by.put(`${path}/templates/${templateId}`, { subject }),
    );
    await finish();
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
    const { deps, id, news, owner, service, finish } = all;
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
    await finish();
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

  it("during the last mails of a paused chunk loses nobody", async () => {
    const all = await scenario(60);
    const { id, news, owner, queued, run, finish } = all;
    const act = async (action: string) => {
      expect((await owner.post(`${news.path}/broadcasts/${id}/${action}`)).status).toBe(200);
    };
    const meanwhile = async () => {
      await act("pause");
      queued.length = 0;
      await act("resume");
    };
    const CLAIM = 2; // after the planning
    await run(stalledApp(all, { nth: CLAIM, when: "after", meanwhile }));
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 60, failed: 0 });
    expect(await expectNobodyLost(all, 60)).toBe(0);
  });

  it("makes only the chunks of its own broadcast due: those of others still wait for their server", async () => {
    const puttingOff = (news: {
      from: string;
      subscribe: (n: number, address: (n: number) => string) => Promise<void>;
    }) => news.subscribe(1, (n) => `rcpt.451.4.7.1.r${n}.${news.from}`);
    const all = await scenario(1, puttingOff);
    const { id, news, owner, run, service } = all;
    await run();
    const second = String((await news.start(ASYNC)).body["broadcast_id"]);
    await run();
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
    const { clock, id, news, run } = await scenario(1, (news) =>
      news.subscribe(1, (n) => `rcpt.451.4.7.1.p${n}.${news.from}`),
    );
    const now = Date.now() + 60_000;
    clock.stoppedAt = now;
    let waitedMs = 0;
    for (const waitMs of [30_000, 120_000, 600_000]) {
      expect(await run()).toBe(now + waitedMs + waitMs);
      expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 1, failed: 0 });
      waitedMs += waitMs;
      clock.aheadMs = waitedMs - 1;
      expect(await run()).toBe(now + waitedMs);
      clock.aheadMs = waitedMs;
    }
    expect(await run()).toBeUndefined();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1, failed: 1 });
    expect(await news.received()).toHaveLength(1);
  });
});
