/* The limits of a project's mail server, as its server sees the mails of broadcasts and batches. */
import { describe, expect, it } from "vitest";
import { hasNobodyTwice, scenario, type Scenario } from "../../support/broadcasting.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Client } from "../../support/service.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import type { RawRule } from "../../support/smtp/raw-script.ts";
import { deliveries } from "../../support/smtp/shipping.ts";

const MINUTE_MS = 60_000;
const CLOSE = { close: true } as const;
const TEMPLATE = { subject: "s", html_body: "<p>x</p>" };

/** Sets the limits of a newsletter before its broadcast starts. */
const withLimits = (limits: object) => (news: { path: string }, owner: Client) =>
  owner.put(`${news.path}/sending`, limits);

const sendingOf = async (owner: Client, { path }: { path: string }) =>
  (await owner.get<Record<string, unknown> & { used?: { connections: number } }>(`${path}/sending`))
    .body;

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

/** Allows two mails more than before, runs the sender, and lets a quarter of an hour pass. */
async function allowTwoMore({ owner, news, work, run, clock }: Scenario, round: number) {
  await owner.put(`${news.path}/sending`, { max_per_hour: 2 * round });
  await work();
  await run();
  clock.aheadMs += 16 * MINUTE_MS;
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

describe("a broadcast", () => {
  it("and single sends together never open more connections than the project has", async () => {
    const slow = [{ send: "250 2.0.0 ok\r\n", chunkBytes: 2, everyMs: 2 }];
    const all = await withServer([{ on: "body", steps: slow }], 60);
    const { owner, news, id, server, work } = all;
    await owner.put(`${news.path}/sending`, { max_connections: 3 });
    const singles = Array.from({ length: 12 }, (_, n) =>
      owner.post(`${news.path}/send`, { ...TEMPLATE, to: `one${n}.${news.from}` }),
    );
    await work();
    for (const { status } of await Promise.all(singles)) expect(status).toBe(200);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 60 });
    expect((await deliveries(server)).size).toBe(72);
    expect((await server.log()).openMax).toBeLessThanOrEqual(3);
  });

  it("counts its mails, and keeps its sessions for the next ones", async () => {
    const { owner, news, finish } = await scenario(20);
    await finish();
    const { used } = await sendingOf(owner, news);
    expect(used).toMatchObject({ last_hour: 20, last_day: 20 });
    expect([1, 2, 3, 4]).toContain(used?.connections);
  });

  it("puts a chunk off until an hour's limit lets it go on, and fails nobody", async () => {
    const all = await scenario(5, withLimits({ max_per_hour: 3 }));
    const { owner, news, id, deps, clock, work, finish } = all;
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
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 5, failed: 0 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("waits for one domain while mails to others go", async () => {
    const all = await scenario(0, async (news, owner) => {
      await news.subscribe(4, (n) => `s${n}@slow.${news.from.replace("@", ".")}`);
      await news.subscribe(3, (n) => `f${n}@fast.${news.from.replace("@", ".")}`);
      await owner.put(`${news.path}/sending`, { max_per_domain_per_minute: 2 });
    });
    const { owner, news, id, clock, work, finish } = all;
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 4, failed: 0 });
    await owner.put(`${news.path}/sending`, {});
    clock.aheadMs += 2 * MINUTE_MS;
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 7, failed: 0 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("waits within its chunk for the next second", async () => {
    const { news, id, work } = await scenario(12, withLimits({ max_per_second: 5 }));
    const begun = Date.now();
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 12 });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(2_000);
  });

  it("asks a server that defers each mail four times for each of them, whatever the limit lets go at a time", async () => {
    const steps = [{ send: "451 4.3.0 try later\r\n" }];
    const all = await withServer([{ on: "RCPT TO:", skip: 0, steps }], 5);
    const { id, news, server } = all;
    for (let round = 1; (await news.progress(id)).state !== "done"; round += 1) {
      expect(round).toBeLessThan(20);
      await allowTwoMore(all, round);
      if (round === 3) expect((await asksAt(server)).size).toBe(5); // nobody waits behind others
    }
    expect(await news.progress(id)).toMatchObject({ failed: 5, sent: 0 });
    expect([...(await asksAt(server)).values()]).toEqual([4, 4, 4, 4, 4]);
  });

  it("whose server is gone under a limit pauses after its last attempt, and says why", async () => {
    const all = await withServer([{ on: "connect", skip: 0, steps: [CLOSE] }], 5);
    const { id, news } = all;
    for (let round = 1; round <= 4; round += 1) {
      expect((await news.progress(id)).state).not.toBe("paused");
      await allowTwoMore(all, round);
    }
    const progress = await news.progress(id);
    expect(progress).toMatchObject({ state: "paused", failed: 0 });
    expect(progress.error).toMatch(/connect/);
  });
});

describe("a server that refuses", () => {
  it("a connection with 421 limits to those that are open; the words are in the answer", async () => {
    const refusal = "421 4.7.0 too many connections from you";
    const rule = { on: "connect", connection: 3, steps: [{ send: `${refusal}\r\n` }, CLOSE] };
    const { owner, news, id, finish } = await withServer([rule], 40);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 40 });
    expect(await sendingOf(owner, news)).toMatchObject({
      max_connections: 5,
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
    await full.work();
    const nothing = { connections: null, per_minute: null };
    expect((await sendingOf(full.owner, full.news))["learned"]).toEqual(nothing);
    const limited = await withServer([{ on: "RCPT TO:<s1.", steps: said(slow) }], 4);
    await limited.work();
    expect((await sendingOf(limited.owner, limited.news))["learned"]).toMatchObject({
      connections: null,
      per_minute: { why: slow },
    });
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
});
