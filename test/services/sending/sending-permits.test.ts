/*
 * The limits of a project's mail server, as its server sees them: broadcasts and batches wait for
 * permits of the project's Durable Object.
 */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Deps } from "../../../src/deps.ts";
import type { PermitAsk, PermitGrant } from "../../../src/lib/permits/permit-messages.ts";
import { DEFAULT_LIMITS } from "../../../src/lib/permits/sending-limits.ts";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { sendChunks } from "../../../src/services/mailing/index.ts";
import { selectProject } from "../../../src/services/projects/index.ts";
import { SendingLine } from "../../../src/services/sending/index.ts";
import {
  hasNobodyTwice,
  LONG_TURN,
  plannedChunk,
  scenario,
  withoutSample,
} from "../../support/broadcasting.ts";
import { batchScenario, recipientsOf, takeMessage } from "../../support/batching.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Client } from "../../support/service.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import type { RawRule } from "../../support/smtp/raw-script.ts";
import { messageTo } from "../../support/smtp/sending.ts";
import { deliveries, ship } from "../../support/smtp/shipping.ts";

const MINUTE_MS = 60_000;
const CLOSE = { close: true } as const;
const MESSAGE = messageTo("x@x.test").data;
const TEMPLATE = { subject: "s", html_body: "<p>x</p>" };
const objectIdOf = (id: string) => env.PROJECT_LIMITER.idFromName(id);
const objectOf = (id: string) => env.PROJECT_LIMITER.get(objectIdOf(id));

/** Sets the limits of a newsletter before its broadcast starts. */
const withLimits = (limits: object) => (news: { path: string }, owner: Client) =>
  owner.put(`${news.path}/sending`, limits);

const sendingOf = async (owner: Client, { path }: { path: string }) =>
  (await owner.get(`${path}/sending`)).body;

const chunksOf = (broadcastId: string) =>
  allRows(
    "select state, attempt, due_at, failed from broadcast_chunks where broadcast_id = ?",
    broadcastId,
  );

/** A server of a newsletter that follows these rules. */
async function withServer(rules: RawRule[], count: number) {
  const server = await startRawServer({ offers: ["PIPELINING", "8BITMIME"], rules });
  const all = await scenario(count, (news, owner) =>
    owner.put(`${news.path}/smtp`, {
      smtp_host: "127.0.0.1",
      smtp_port: server.port,
      smtp_user: "user",
      smtp_password: "pass",
      from_email: news.from,
    }),
  );
  return { ...all, server };
}

/**
 * An object that gives `budget.left` mails in all, and makes the others wait for so long. It knows
 * nothing of the clock, which tests move.
 */
function objectsWith({ limiter }: Deps, budget: { left: number; asks: number }, waitMs: number) {
  const askPermit = async ({ connections, wanted }: PermitAsk): Promise<PermitGrant> => {
    budget.asks += 1;
    const mails = wanted.map(([domain, count]) => {
      const given = Math.min(count, budget.left);
      budget.left -= given;
      const wait = given < count ? waitMs : 0;
      return { domain, mails: given, waitMs: wait, comesBack: true, isOfDomain: true };
    });
    const times = { leaseMs: 20_000, freshMs: 20_000, waitMs: 0, comesBack: false };
    return { connections, isLimited: true, ...times, mails };
  };
  return {
    idFromName: (name: string) => limiter.idFromName(name),
    get: () => ({ askPermit }),
  } as unknown as Deps["limiter"];
}

/** Returns how often a server was asked to take a mail for each address. */
async function asksAt(server: Awaited<ReturnType<typeof startRawServer>>) {
  const { connections } = await server.log();
  const said = connections.flatMap(({ traffic }) => traffic).map(({ text }) => text);
  const counts = new Map<string, number>();
  for (const [, address = ""] of said.join("").matchAll(/RCPT TO:<([^>]+)>/g))
    counts.set(address, (counts.get(address) ?? 0) + 1);
  return counts;
}

describe("20 workers at once", () => {
  it("never open more connections than the project has, counted by the server", async () => {
    const service = createService();
    const owner = await service.newOwner();
    const { id } = await owner.newProject();
    await owner.put(`/projects/${id}/sending`, { max_connections: 8 });
    const deps = await service.deps();
    const [project] = await selectProject(deps.db, id);
    if (!project) throw new Error("no project");
    const server = await startRawServer({ offers: ["PIPELINING"] });
    const work = async (worker: number) => {
      const line = new SendingLine(deps);
      while (await line.open(project)) await new Promise((resume) => setTimeout(resume, 100));
      const { connections: maxConnections, pool } = line;
      expect(maxConnections).toBeGreaterThan(0);
      await ship(5, server.port, { maxConnections, pool }, (number) => ({
        envelope: { from: "s@x.test", to: [`w${worker}.${number}@x.test`], smtpUtf8: false },
        data: MESSAGE,
      }));
      await line.close();
    };
    await Promise.all(Array.from({ length: 20 }, (_, worker) => work(worker)));
    expect((await deliveries(server)).size).toBe(100);
    expect((await server.log()).openMax).toBeLessThanOrEqual(6); // two are kept for single sends
    expect((await sendingOf(owner, { path: `/projects/${id}` }))["used"]).toMatchObject({
      connections: 0,
    });
  }, 60_000);
});

describe("a broadcast", () => {
  it("counts its mails and takes at most the connections that it may", async () => {
    const { owner, news, settle } = await scenario(20);
    await settle();
    expect(await sendingOf(owner, news)).toMatchObject({
      used: { connections: 0, last_hour: 20, last_day: 20 },
    });
  });

  it("puts a chunk off until an hour's limit lets it go on, and fails nobody", async () => {
    const all = await scenario(5, withLimits({ max_per_hour: 3 }));
    const { owner, news, id, deps, clock, work, settle } = all;
    await planBroadcast(deps, id);
    const before = deps.now();
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 3, failed: 0 });
    const [chunk] = await chunksOf(id);
    expect(chunk).toMatchObject({ state: "pending", attempt: 0 });
    // The place becomes free in an hour. The limits may change, so the worker looks before that.
    const dueInMs = Number(chunk?.["due_at"]) - before;
    expect(dueInMs).toBeGreaterThan(14 * MINUTE_MS);
    expect(dueInMs).toBeLessThan(16 * MINUTE_MS);
    expect(await sendingOf(owner, news)).toMatchObject({ used: { last_hour: 3 } });
    await owner.put(`${news.path}/sending`, {});
    clock.aheadMs += 16 * MINUTE_MS;
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 5, failed: 0 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("waits for one domain while mails to others go", async () => {
    const all = await scenario(0, async (news, owner) => {
      await news.subscribe(4, (n) => `s${n}@slow.${news.from.replace("@", ".")}`);
      await news.subscribe(3, (n) => `f${n}@fast.${news.from.replace("@", ".")}`);
      await owner.put(`${news.path}/sending`, { max_per_domain_per_minute: 2 });
    });
    const { owner, news, id, deps, clock, work, settle } = all;
    await planBroadcast(deps, id);
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 4, failed: 0 });
    await owner.put(`${news.path}/sending`, {});
    clock.aheadMs += 2 * MINUTE_MS;
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 7, failed: 0 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("waits within its chunk for the next second", async () => {
    const { news, id, deps, work } = await scenario(12, withLimits({ max_per_second: 5 }));
    await planBroadcast(deps, id);
    const begun = Date.now();
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 12 });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(2_000);
  });

  it("asks a server that defers each mail four times for each of them, whatever the limit lets go at a time", async () => {
    const steps = [{ send: "451 4.3.0 try later\r\n" }];
    const all = await withServer([{ on: "RCPT TO:", skip: 0, steps }], 5);
    const { clock, deps, id, news, server } = all;
    const chunk = await plannedChunk(all);
    const budget = { left: 0, asks: 0 };
    const limiter = objectsWith(deps, budget, 55_000);
    const askedAt = new Map<string, number[]>();
    for (let minute = 0; (await news.progress(id))["state"] !== "done"; minute += 1) {
      expect(minute).toBeLessThan(60);
      budget.left = 2;
      await sendChunks({ ...deps, limiter }, chunk);
      for (const [address, count] of await asksAt(server)) {
        const minutes = askedAt.get(address) ?? [];
        if (count > minutes.length) askedAt.set(address, [...minutes, minute]);
      }
      // nobody waits behind the deferred ones, and the chunk counts as tried
      if (minute === 2) {
        expect(askedAt.size).toBe(5);
        expect(await chunksOf(id)).toMatchObject([{ attempt: 1 }]);
      }
      clock.aheadMs += MINUTE_MS;
    }
    expect(await news.progress(id)).toMatchObject({ failed: 5, sent: 0 });
    expect(askedAt.size).toBe(5);
    for (const [first = 0, second = 0, third = 0, last = 0, ...more] of askedAt.values()) {
      expect(more).toEqual([]);
      expect(second - first).toBeGreaterThanOrEqual(1);
      expect(third - second).toBeGreaterThanOrEqual(2);
      expect(last - third).toBeGreaterThanOrEqual(10);
    }
  });

  it("that gets no permit in all its turns fails nobody, and ends each in time", async () => {
    const all = await scenario(5);
    const { news, id, deps, clock, queued, work } = all;
    const chunk = await plannedChunk(all);
    const { askPermit } = objectsWith(deps, { left: 0, asks: 0 }, 250).get(objectIdOf(news.id));
    const limiter = {
      idFromName: (name: string) => deps.limiter.idFromName(name),
      get: () => ({
        askPermit(ask: PermitAsk) {
          clock.aheadMs += 6_000; // single sends were faster
          return askPermit(ask);
        },
      }),
    } as unknown as Deps["limiter"];
    for (let turn = 0; turn < 5; turn += 1) {
      await sendChunks({ ...deps, limiter }, chunk);
      expect(await chunksOf(id)).toMatchObject([{ state: "pending", attempt: 0, failed: 0 }]);
      expect(queued.splice(0)).toContainEqual(chunk);
    }
    queued.push(chunk);
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 5, failed: 0 });
  }, 20_000);

  it("whose server is gone under a limit pauses after its last attempt, and says why", async () => {
    const all = await withServer([{ on: "connect", skip: 0, steps: [CLOSE] }], 5);
    const { clock, deps, id, news } = all;
    const chunk = await plannedChunk(all);
    const budget = { left: 0, asks: 0 };
    const limiter = objectsWith(deps, budget, 55_000);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect(await chunksOf(id)).toMatchObject([{ attempt }]);
      budget.left = 2;
      await sendChunks({ ...deps, limiter }, chunk);
      clock.aheadMs += 11 * MINUTE_MS;
    }
    expect(await news.progress(id)).toMatchObject({ state: "paused", failed: 0 });
  });

  it("leaves its chunk when no connection is free, and goes on when there is one", async () => {
    const all = await scenario(5);
    const { news, id, deps, queued, work } = all;
    const chunk = await plannedChunk(all);
    const other = {
      worker: unique("worker"),
      limits: DEFAULT_LIMITS,
      version: 0,
      wanted: [],
      unused: [],
      uncounted: 0,
      signs: [],
    };
    await objectOf(news.id).askPermit({ ...other, connections: 4 });
    await sendChunks(deps, chunk);
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 0, failed: 0 });
    expect(await chunksOf(id)).toMatchObject([{ state: "pending", attempt: 0 }]);
    expect(queued).toContainEqual(chunk); // it comes back, because no other worker would
    await objectOf(news.id).askPermit({ ...other, connections: 0 });
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 5 });
  });

  it("wakes a chunk that waits when its worker has done all that one turn allows", async () => {
    const all = await scenario(2_001, withoutSample);
    const { news, id, deps, queued, work } = all;
    const chunk = await plannedChunk(all); // the messages of the other chunks are lost
    await sendChunks(deps, chunk, { ...LONG_TURN, statements: 1_000 });
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 2_000 });
    const woken = queued.filter((message) => !("isGuard" in message));
    expect(woken).toMatchObject([{ type: "broadcast_chunk", broadcastId: id }]);
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 2_001 });
  });

  it("sends nothing while the project's object does not answer, and loses nobody", async () => {
    const all = await scenario(5);
    const { news, id, deps, clock, settle } = all;
    const chunk = await plannedChunk(all);
    const limiter = {
      idFromName: (name: string) => deps.limiter.idFromName(name),
      get: () => ({ askPermit: () => Promise.reject(new Error("no object")) }),
    } as unknown as typeof deps.limiter;
    await sendChunks({ ...deps, limiter }, chunk);
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 0, failed: 0 });
    clock.aheadMs += MINUTE_MS;
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 5 });
  });
});

describe("a server that refuses", () => {
  it("a connection with 421 limits to those that are open; the words are in the answer", async () => {
    const refusal = "421 4.7.0 too many connections from you";
    const rule = { on: "connect", connection: 3, steps: [{ send: `${refusal}\r\n` }, CLOSE] };
    const { owner, news, id, settle } = await withServer([rule], 40);
    await settle();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 40 });
    expect(await sendingOf(owner, news)).toMatchObject({
      max_connections: 6,
      learned: { connections: { limit: 3, why: refusal }, per_minute: null },
    });
  });

  it("the rate halves the rate, and what it refused for its mailbox halves nothing", async () => {
    const said = (words: string) => [{ send: `${words}\r\n` }];
    const slow = "450 4.7.1 rate limit exceeded";
    const rules = [
      { on: "RCPT TO:<s1.", skip: 0, steps: said("450 4.2.1 mailbox receives mail too fast") },
    ];
    const full = await withServer(rules, 4);
    await planBroadcast(full.deps, full.id);
    await full.work();
    const nothing = { connections: null, per_minute: null };
    expect((await sendingOf(full.owner, full.news))["learned"]).toEqual(nothing);
    const limited = await withServer([{ on: "RCPT TO:<s1.", steps: said(slow) }], 4);
    await planBroadcast(limited.deps, limited.id);
    await limited.work();
    expect((await sendingOf(limited.owner, limited.news))["learned"]).toMatchObject({
      connections: null,
      per_minute: { why: slow },
    });
  });
});

describe("a line", () => {
  /** An open line whose project's object gives `budget.left` mails, at a time that the test sets. */
  async function openLine(left: number) {
    const service = createService();
    const owner = await service.newOwner();
    const { id } = await owner.newProject();
    const deps = await service.deps();
    const [project] = await selectProject(deps.db, id);
    if (!project) throw new Error("no project");
    const budget = { left, asks: 0 };
    const clock = { now: deps.now() };
    const limiter = objectsWith(deps, budget, 10_000);
    const line = new SendingLine({ ...deps, now: () => clock.now, limiter });
    const admit = (domain: string, ahead: string[] = []) =>
      line.admit(domain, () => ahead, new Promise(() => undefined));
    await line.open(project);
    return { line, admit, budget, clock };
  }

  it("asks again when a long wait is over", async () => {
    const { line, admit, budget, clock } = await openLine(0);
    expect(await admit("a.test")).toMatchObject({ waitMs: 10_000, isOfDomain: true });
    clock.now += 4_000;
    expect(await admit("a.test")).toMatchObject({ waitMs: 6_000, isOfDomain: true });
    expect(budget.asks).toBe(2); // the connections, and the mail
    budget.left = 1;
    clock.now += 6_000;
    expect(await admit("a.test")).toBe("go");
    await line.close();
  });

  it("uses no permit after its time, although later ones came for another domain", async () => {
    const { line, admit, budget, clock } = await openLine(9);
    expect(await admit("a.test", ["b.test"])).toBe("go");
    clock.now += 15_000;
    expect(await admit("a.test")).toBe("go");
    expect(budget.asks).toBe(3); // the connections, and the mails of two moments
    clock.now += 5_000;
    expect(await admit("b.test")).toBe("go");
    expect(budget.asks).toBe(4);
    await line.close();
  });
});

describe("a batch", () => {
  it("counts its mails, and names those that a limit held back as failed", async () => {
    const service = createService();
    const owner = await service.newOwner();
    const { id } = await owner.newProject(CAPTURING);
    const path = `/projects/${id}`;
    const { body } = await owner.post(`${path}/templates`, { ...TEMPLATE, name: unique("t") });
    await owner.put(`${path}/sending`, { max_per_day: 2 });
    const recipients = [1, 2, 3].map((n) => ({ to: `${unique(`b${n}`)}@any.test` }));
    const answer = await owner.post(`${path}/send/batch`, { template_id: body["id"], recipients });
    expect(answer.body).toMatchObject({
      sent: 2,
      failed: 1,
      failures: [{ status: "failed", error: expect.stringMatching(/^a limit of the mail server/) }],
    });
    expect(await sendingOf(owner, { path })).toMatchObject({ used: { last_day: 2 } });
  });

  const refused = { mails: [], connections: 0, waitMs: 5_000, comesBack: true };

  it.each([
    { what: "its worker loses its connections", later: () => Promise.resolve(refused) },
    {
      what: "the project's object stops answering",
      later: () => Promise.reject(new Error("no object")),
    },
  ])("fails nobody when $what: it goes on when there is a connection again", async ({ later }) => {
    const all = await batchScenario();
    const { news, deps, queued, clock } = all;
    const id = await all.start(recipientsOf(news, 40));
    const chunk = takeMessage(queued);
    const budget = { left: 20, asks: 0 };
    const given = objectsWith(deps, budget, 0).get(deps.limiter.idFromName(news.id));
    const askPermit = async (ask: PermitAsk): Promise<PermitGrant> => {
      const grant = await given.askPermit(ask);
      return budget.left > 0 ? grant : { ...grant, ...(await later()) };
    };
    const limiter = { ...deps.limiter, get: () => ({ askPermit }) } as unknown as Deps["limiter"];
    await sendChunks({ ...deps, limiter }, chunk);
    const half = await all.batch(id);
    expect(half).toMatchObject({ state: "sending", failed: 0 });
    expect(half.sent).toBeGreaterThan(0);
    expect(half.sent).toBeLessThan(40);
    clock.aheadMs += MINUTE_MS;
    await all.work();
    expect(await all.batch(id)).toMatchObject({ state: "done", sent: 40, failed: 0 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });
});
