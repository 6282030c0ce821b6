/* A/B tests: who tries what, who wins, and what a crash leaves. The test drives queue and clock. */
import { sql } from "drizzle-orm";
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/db/client.ts";
import type { Deps } from "../../../src/deps.ts";
import type { BroadcastPlan } from "../../../src/db/schema/index.ts";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { decideAbTests } from "../../../src/services/broadcasts/ab-test/decide-ab-tests.ts";
import { judgeAbTest } from "../../../src/services/broadcasts/ab-test/judge-ab-test.ts";
import { isInSlice, variantSql } from "../../../src/services/broadcasts/ab-test/slices.ts";
import {
  expectNobodyLost,
  hasNobodyTwice,
  runUntilDeath,
  stalledApp,
} from "../../support/broadcasting.ts";
import {
  AFTER_UNDO_MS,
  ANYWAY,
  draftWorld,
  type Draft,
  type DraftWorld,
} from "../../support/drafting.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { EMPTY_PLAN } from "../../support/stored-broadcasts.ts";
import { deathOfWorker } from "../../support/refusals.ts";

const HOUR_MS = 3_600_000;

const AB = {
  variants: [{ subject: "First" }, { subject: "Second", from_name: "Ann of News" }],
  share: 50,
  wait_hours: 2,
  by: "opens",
};

const PLAN: BroadcastPlan = {
  ...EMPTY_PLAN,
  ab: {
    variants: Array.from({ length: 3 }, () => ({
      subject: null,
      fromName: null,
      templateId: null,
    })),
    share: 30,
    waitHours: 1,
    by: "opens",
  },
};

/** Gives every mail of a variant an open by a person. */
const openAll = ({ exec }: DraftWorld, variant: string) =>
  exec(
    "update log_entries set opened_at = 1, opened_class = 'human' where tags ->> '$.variant' = ?",
    variant,
  );

describe("the slices of an A/B test", () => {
  it("have their share each, are disjoint, and are reproducible only with the same key", async () => {
    const db = openDatabase(env.DB);
    const variantsOf = async (logKey: string) => {
      const trial = { logKey, plan: PLAN };
      const rows = await db.all<{ id: string; variant: number | null; slices: string }>(
        sql`with recursive n(n) as (select 1 union all select n + 1 from n where n < 3000)
          select id, ${variantSql(trial)} as variant, ${sql.join(
            [0, 1, 2, null].map((one) => isInSlice(trial, one)),
            sql` || `,
          )} as slices
          from (select printf('0192f3c1-0000-7%03x-8abc-%012x', n % 4096, n * 7919) as id from n) subscribers`,
      );
      return rows;
    };
    const rows = await variantsOf("key");
    for (const { variant, slices } of rows) {
      expect(slices.replaceAll("0", "")).toBe("1");
      expect(slices.indexOf("1")).toBe(variant ?? 3);
    }
    for (const variant of [0, 1, 2]) {
      const size = rows.filter((row) => row.variant === variant).length;
      expect(size).toBeGreaterThan(220);
      expect(size).toBeLessThan(380);
    }
    expect(await variantsOf("key")).toEqual(rows);
    expect((await variantsOf("other")).map(({ variant }) => variant)).not.toEqual(
      rows.map(({ variant }) => variant),
    );
  });
});

describe("the verdict on an A/B test", () => {
  const of = (mailed: number, opened: number) => ({ mailed, opened, clicked: 0 });

  it("says in plain words which variant leads and how certain that is", () => {
    const sure = judgeAbTest([of(500, 100), of(500, 160)], "opens");
    expect(sure).toMatchObject({ leader: 1 });
    expect(sure.words).toBe(
      "B was opened by 32.0% of 500 people, A by 20.0% of 500. B is better with 99% certainty.",
    );
    const likely = judgeAbTest([of(100, 30), of(100, 23)], "opens");
    expect(likely.words).toContain("A is probably better (8");
    const chance = judgeAbTest([of(10, 3), of(10, 3)], "opens");
    expect(chance).toMatchObject({ leader: 0 });
    expect(chance.certainty).toBeCloseTo(0.5, 2);
    expect(chance.words).toContain("may well be due to chance");
    const nothing = judgeAbTest([of(10, 3), of(10, 3)], "clicks");
    expect(nothing).toMatchObject({ leader: 0, certainty: null });
    expect(nothing.words).toMatch(/^No one clicked/);
  });
});

describe("an A/B test", () => {
  it("sends each variant to its slice, and the winner by human opens to the rest when it is due", async () => {
    const world = await draftWorld(40, { ab: AB });
    const { start, pass, look, mails, owner, one, news } = world;
    expect((await owner.get(`${one}/trial`)).status).toBe(409);
    await start();
    await pass(AFTER_UNDO_MS);
    const tried = await mails();
    expect(tried.length).toBeGreaterThan(8);
    expect(tried.length).toBeLessThan(32);
    for (const { subject, variant } of tried)
      expect(subject).toBe(variant === "A" ? "First" : "Second");
    expect(new Set(tried.map(({ variant }) => variant))).toEqual(new Set(["A", "B"]));
    await openAll(world, "B");
    await pass(60_000);
    const seconds = tried.filter(({ variant }) => variant === "B").length;
    expect((await owner.get(`${one}/trial`)).body).toMatchObject({
      winner: null,
      leader: "B",
      variants: [
        { variant: "A", subject: "First", mailed: tried.length - seconds, opened_human: 0 },
        { variant: "B", subject: "Second", mailed: seconds, opened_human: seconds },
      ],
    });
    await pass(HOUR_MS);
    expect(await look()).toMatchObject({ state: "sending", sent: tried.length });
    await pass(HOUR_MS + 60_000);
    expect(await look()).toMatchObject({ state: "done", sent: 40, subject: "Second" });
    const rest = (await mails()).filter(({ variant }) => variant === null);
    expect(rest).toHaveLength(40 - tried.length);
    expect(new Set(rest.map(({ subject }) => subject))).toEqual(new Set(["Second"]));
    expect((await owner.get(`${one}/trial`)).body).toMatchObject({
      winner: "B",
      decides_at: null,
      summary: expect.stringContaining("B was opened by 100.0%"),
    });
    expect((await owner.get(`${one}/ledger`)).body).toMatchObject({
      total: 40,
      sent: 40,
      skipped: 0,
    });
    const [mail] = await receivedMessages({ from: news.from, to: rest[0]?.to_email ?? "" });
    expect(JSON.stringify(mail)).toContain("Ann of News");
    expect(await expectNobodyLost(world, 40)).toBe(0);
  });

  it("pauses on the first outcomes of a variant", async () => {
    const { start, pass, look, news } = await draftWorld(0, { ab: { ...AB, share: 100 } });
    await news.subscribe(40, (n) => `rcpt.550.5.1.1.b${n}.${news.from}`);
    await start();
    await pass(AFTER_UNDO_MS);
    expect(await look()).toMatchObject({
      state: "paused",
      error: expect.stringContaining("addresses do not exist"),
    });
  });

  it("by clicks, chooses the variant clicked by more people, and counts no scanner", async () => {
    const world = await draftWorld(20, { ab: { ...AB, by: "clicks" } });
    const { start, pass, look, mails, exec, owner, one } = world;
    await start();
    await pass(AFTER_UNDO_MS);
    const click = (variant: string, kind: string) =>
      exec(
        `insert into email_clicks (log_id, id, url, user_agent, ip_address, class, clicked_at)
          select m.id, '1', 'https://a.test', '', '', ?, 1 from logged_mails m join log_entries e on e.id = unhex(m.id, '-')
          where m.project_id = ? and e.tags ->> '$.variant' = ?`,
        kind,
        world.news.id,
        variant,
      );
    await click("A", "scanner");
    await click("B", "human");
    await exec(
      `update log_entries set clicked_at = 1, opened_at = 1, opened_class = 'scanner'
        where tags ->> '$.variant' is not null`,
    );
    const seconds = (await mails()).filter(({ variant }) => variant === "B").length;
    expect(seconds).toBeGreaterThan(0);
    expect((await owner.get(`${one}/trial`)).body).toMatchObject({
      leader: "B",
      variants: [
        { opened_human: 0, clicked_human: 0 },
        { opened_human: 0, clicked_human: seconds },
      ],
    });
    await pass(60_000);
    await pass(2 * HOUR_MS + 60_000);
    expect(await look()).toMatchObject({ state: "done", subject: "Second", sent: 20 });
  });

  it("waits for a manual choice, which is made once", async () => {
    const world = await draftWorld(20, { ab: { ...AB, by: "manual" } });
    const { start, pass, look, mails, owner, one, clock, id, deps, queued } = world;
    const choose = (variant: string) => owner.post<{ code: string }>(`${one}/winner`, { variant });
    const tooEarly = (state: string) => ({
      status: 409,
      body: { code: `broadcast_is_${state}` },
    });
    expect(await choose("A")).toMatchObject(tooEarly("draft"));
    await start();
    expect(await choose("A")).toMatchObject(tooEarly("scheduled"));
    clock.aheadMs += AFTER_UNDO_MS;
    await pass(0);
    await pass(100 * HOUR_MS);
    expect(await look()).toMatchObject({ state: "sending" });
    expect((await choose("C")).status).toBe(400);
    const answers = await Promise.all([choose("A"), choose("B")]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const chosen = answers[0]?.status === 200 ? "First" : "Second";
    await Promise.all([planBroadcast(deps, id), planBroadcast(deps, id)]);
    expect(queued.length).toBeGreaterThan(0);
    await pass(0);
    expect(await look()).toMatchObject({ state: "done", sent: 20 });
    const rest = (await mails()).filter(({ variant }) => variant === null);
    expect(new Set(rest.map(({ subject }) => subject))).toEqual(new Set([chosen]));
    expect(await expectNobodyLost(world, 20)).toBe(0);
  });

  it("ends immediately if its audience is empty, and waits for no choice", async () => {
    const ab = { ...AB, by: "manual" };
    const { start, pass, look } = await draftWorld(1, { ab, where: "tag:nobody" });
    await start();
    await pass(AFTER_UNDO_MS);
    expect(await look()).toMatchObject({ state: "done", sent: 0 });
  });

  it("keeps the draft's own content, and a resend has that of the winner", async () => {
    const own = '<p>Base {{broadcast.issue}} <a href="{{unsubscribe_link}}">leave</a></p>';
    const world = await draftWorld(60, {
      template_id: undefined,
      html_body: own,
      variables: { issue: 7 },
      per_hour: 100_000,
      where: "not tag:moon",
    });
    const { owner, at, one, news, start, pass, look, mails } = world;
    await news.subscribe(4, (n) => `rcpt-once.554.5.7.1.no${n}.${news.from}`);
    const variants = [
      { subject: "First", template_id: news.templateId, from_name: "Ann of News" },
      { subject: "Second" },
    ];
    await owner.request("PATCH", one, { ab: { ...AB, variants, by: "manual" } });
    const contentOf = async (path: string) => {
      const { body } = await owner.get(path);
      return [body["template_id"], body["html_body"]];
    };
    await start();
    await owner.post(`${one}/undo`);
    expect(await contentOf(one)).toEqual([null, own]);
    await start();
    await owner.request("PATCH", one, { name: "June" });
    await pass(AFTER_UNDO_MS);
    const textOf = async (email: string) =>
      (await receivedMessages({ from: news.from, to: email }))[0]?.text ?? "";
    const tried = (await mails()).filter(({ status }) => status === "sent");
    expect(new Set(tried.map(({ variant }) => variant))).toEqual(new Set(["A", "B"]));
    for (const { to_email: email, variant } of tried)
      expect(await textOf(email)).toContain(variant === "A" ? "more" : "Base 7");
    const shown = async () => (await owner.get(`${one}/content`)).body;
    expect(await shown()).toMatchObject({ variant: "A", subject: "First" });
    await owner.post(`${one}/winner`, { variant: "A" });
    await pass(0);
    await pass(60_000);
    expect(await shown()).toMatchObject({
      variant: "A",
      html_body: expect.stringContaining("more"),
    });
    expect(await look()).toMatchObject({ state: "done", subject: "First", sent: 60, failed: 4 });
    expect(await contentOf(one)).toEqual([null, own]);
    const made = async (verb: string, body: object, of = one) =>
      `${at}/${String((await owner.post(`${of}/${verb}`, body)).body["id"])}`;
    expect(await contentOf(await made("duplicate", {}))).toEqual([null, own]);
    expect(await contentOf(await made("resend", { to: "joined" }))).toEqual([
      news.templateId,
      null,
    ]);
    const again = await made("resend", { to: "failed" });
    await owner.post(`${again}/start`, ANYWAY);
    await pass(AFTER_UNDO_MS);
    expect((await owner.get(again)).body).toMatchObject({ state: "done", sent: 4 });
    expect(await textOf(`rcpt-once.554.5.7.1.no0.${news.from}`)).toContain("more");
    const kept = { variables: { issue: 7 }, per_hour: 100_000, where: "not tag:moon", ab: null };
    expect((await owner.get(again)).body).toMatchObject({ ...kept, own_subject: "First" });
    expect((await owner.get(await made("duplicate", {}, again))).body).toMatchObject({
      ...kept,
      template_id: news.templateId,
      own_subject: "First",
    });
  });

  it("is cancelled without a winner, and a resend to those whose mail failed has the first variant", async () => {
    const world = await draftWorld(0, { ab: { ...AB, share: 100, by: "manual" } });
    const { owner, at, one, news, start, pass, mails } = world;
    await news.subscribe(20, (n) => `rcpt-once.554.5.7.1.no${n}.${news.from}`);
    await start();
    await pass(AFTER_UNDO_MS);
    const resend = () => owner.post(`${one}/resend`, { to: "failed" });
    expect((await resend()).status).toBe(409); // the A/B test runs
    await owner.post(`${one}/cancel`);
    expect(new Set((await mails()).map(({ variant }) => variant))).toEqual(new Set(["A", "B"]));
    const again = `${at}/${String((await resend()).body["id"])}`;
    await owner.post(`${again}/start`, ANYWAY);
    await pass(AFTER_UNDO_MS);
    expect((await owner.get(again)).body).toMatchObject({ state: "done", sent: 20, ab: null });
    const sent = (await mails()).filter(({ status }) => status === "sent");
    expect(sent.map(({ subject }) => subject)).toEqual(Array(20).fill("First"));
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("sends the winner to the rest, and no variant again, if a planner wakes after the choice", async () => {
    const world = await draftWorld(20, { ab: { ...AB, by: "manual" } });
    const { start, pass, look, owner, one, clock, id, run, queued } = world;
    await start();
    clock.aheadMs += AFTER_UNDO_MS;
    const dead = () => Promise.reject(deathOfWorker("killed"));
    const killed = stalledApp(world, { nth: 2, when: "before", meanwhile: dead });
    await planBroadcast(killed, id).catch(() => undefined);
    queued.length = 0;
    const meanwhile = async () => {
      await run();
      expect((await owner.post(`${one}/winner`, { variant: "B" })).status).toBe(200);
      queued.length = 0;
    };
    await planBroadcast(stalledApp(world, { nth: 1, when: "before", meanwhile }), id);
    await pass(5 * 60_000);
    await pass(60_000);
    expect(await look()).toMatchObject({ state: "done", sent: 20 });
    expect(await expectNobodyLost(world, 20)).toBe(0);
  });

  it("pauses, resumes and is cancelled as a whole", async () => {
    const { start, pass, look, owner, one, mails } = await draftWorld(20, { ab: AB });
    await start();
    await pass(AFTER_UNDO_MS);
    const tried = (await mails()).length;
    await pass(60_000);
    await owner.post(`${one}/pause`);
    await pass(3 * HOUR_MS);
    expect(await look()).toMatchObject({ state: "paused", sent: tried });
    await owner.post(`${one}/resume`);
    await pass(60_000);
    expect(await look()).toMatchObject({ state: "done", sent: 20 });
  });

  it("has a decision time only until it is cancelled", async () => {
    const { start, pass, owner, one } = await draftWorld(20, { ab: AB });
    const trial = async () => (await owner.get(`${one}/trial`)).body;
    await start();
    await pass(AFTER_UNDO_MS);
    await pass(60_000);
    expect(await trial()).toMatchObject({ winner: null, decides_at: expect.any(String) });
    await owner.post(`${one}/cancel`);
    expect(await trial()).toMatchObject({ winner: null, decides_at: null });
  });

  it.each([
    { phase: "its start", at: 1, when: "before" },
    { phase: "its planning", at: 2, when: "after" },
    { phase: "a claim", at: "claim", when: "after" },
    { phase: "a record", at: "record", when: "before" },
    { phase: "the end of a chunk", at: "end", when: "after" },
    { phase: "the choice", at: 1, when: "before" },
    { phase: "the choice", at: 2, when: "after" },
    { phase: "a record of the rest", at: "record", when: "after" },
  ] as const)(
    "sends no recipient two variants and loses none when its sender dies $when $phase",
    async ({ phase, at, when }) => {
      const world = await draftWorld(30, { ab: { ...AB, wait_hours: 1 } });
      const { start, pass, look, id, queued, clock, deps, mails } = world;
      const die = async (work: (app: Deps) => Promise<unknown>) => {
        if (at === "claim" || at === "record" || at === "end")
          await runUntilDeath(world, { at, when });
        else {
          const meanwhile = () => Promise.reject(deathOfWorker("killed"));
          const killed = stalledApp(world, { nth: at, when, meanwhile });
          await expect(work(killed)).rejects.toThrow("killed");
        }
        queued.length = 0;
      };
      const isLate = phase === "the choice" || phase === "a record of the rest";
      await start();
      clock.aheadMs += AFTER_UNDO_MS;
      if (!isLate) await die((app) => planBroadcast(app, id));
      for (let minute = 0; minute < 6; minute++) await pass(60_000);
      clock.aheadMs += HOUR_MS;
      if (phase === "a record of the rest") await decideAbTests(deps);
      if (isLate) await die(decideAbTests);
      await pass(HOUR_MS);
      for (let minute = 0; minute < 8 && (await look()).state !== "done"; minute++)
        await pass(60_000);
      const unknown = await expectNobodyLost(world, 30);
      expect(unknown).toBeLessThanOrEqual(16);
      expect(await look()).toMatchObject({ state: "done", sent: 30 - unknown, failed: unknown });
      for (const { subject, variant } of await mails())
        if (variant !== null) expect(subject).toBe(variant === "A" ? "First" : "Second");
    },
  );

  it("requires two to five variants, and sends all at once, because its rest would miss the time of the zones", async () => {
    const { owner, at, one } = await draftWorld(0, { ab: AB });
    const oneVariant = { ...AB, variants: [{ subject: "x" }] };
    expect((await owner.post(at, { name: "n", ab: oneVariant })).status).toBe(400);
    const zone = { time_zone: "Europe/Berlin" };
    const zoned = await owner.post<Draft>(at, { name: "n", ...zone });
    for (const refused of [
      await owner.request("PATCH", one, zone),
      await owner.request("PATCH", `${at}/${zoned.body.id}`, { ab: AB }),
      await owner.post(at, { name: "n", ab: AB, ...zone }),
    ])
      expect([refused.status, refused.body["error"]]).toEqual([
        400,
        "ab: must be omitted with time_zone: the A/B test would end only after the last time zone, too late for the others",
      ]);
    const cleared = await owner.request<{ ab: null }>("PATCH", one, { ab: { variants: [] } });
    expect(cleared.body.ab).toBeNull();
  });
});
