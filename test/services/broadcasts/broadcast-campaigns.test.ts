/* The audience of a draft, its pace and its time zones. The test drives the queue and the clock. */
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { clockOf, momentOf } from "../../../src/lib/time-zones.ts";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import {
  expectNobodyLost,
  hasNobodyTwice,
  runUntilDeath,
  stalledApp,
  workOff,
} from "../../support/broadcasting.ts";
import {
  AFTER_UNDO_MS,
  ANYWAY,
  draftWorld,
  type Draft,
  type DraftWorld,
} from "../../support/drafting.ts";
import { allRows } from "../../support/rows.ts";
import { EVERY_MINUTE } from "../../support/times.ts";
import { deathOfWorker } from "../../support/refusals.ts";

const HOUR_MS = 3_600_000;

const NOT_AT_ONCE = "ab: must be omitted when the broadcast is a resend to non-openers";

const idsOf = async ({ news }: DraftWorld) =>
  (
    await allRows<{ id: string }>(
      "select id from subscribers where project_id = ? order by id",
      news.id,
    )
  ).map(({ id }) => id);

/** Sets the metadata of the nth subscriber. */
async function describeNth(world: DraftWorld, metadata: Record<string, unknown>[]) {
  const ids = await idsOf(world);
  for (const [n, one] of metadata.entries())
    await world.exec(
      "update subscribers set metadata = ? where id = ?",
      JSON.stringify(one),
      ids[n],
    );
  return ids;
}

async function addSegment({ exec, news }: DraftWorld, where: string) {
  const id = crypto.randomUUID();
  await exec(
    "insert into segments (id, project_id, name, condition, created_at, updated_at) values (?, ?, ?, ?, 1, 1)",
    id,
    news.id,
    id,
    where,
  );
  return id;
}

async function addTopic({ owner, news }: DraftWorld, subscribed: string[]) {
  const topic = await owner.post<{ id: string }>(`${news.path}/topics`, { name: "Weekly" });
  const { id } = topic.body;
  for (const subscriber of subscribed)
    await owner.put(`${news.path}/subscribers/${subscriber}/topics`, { [id]: "subscribed" });
  return id;
}

/** Adds a step to the history of somebody's consent. */
const addStep = ({ exec, news }: DraftWorld, email: string, action: string, at: number) =>
  exec(
    `insert into consent_events (project_id, subscriber_id, id, action, by, at, ip_address, user_agent, form_text)
      select project_id, id, ?, ?, 'page', ?, '', '', '' from subscribers where project_id = ? and email = ?`,
    crypto.randomUUID(),
    action,
    at,
    news.id,
    email,
  );

const namesOf = (received: string[]) =>
  received.map((to) => /^s\d+/.exec(to)?.[0] ?? to).toSorted((a, b) => a.localeCompare(b));

describe("the audience of a draft", () => {
  it("is the intersection of its topic, segment and condition, without its excluded segments", async () => {
    const world = await draftWorld(6);
    const { owner, one, start, pass, look, news } = world;
    const ids = await describeNth(world, [
      { country: "DE", plan: "pro" },
      { country: "DE", plan: "pro" },
      { country: "FR", plan: "pro" },
      { country: "DE" },
      { country: "DE", plan: "pro", tired: "yes" },
      { country: "DE", plan: "pro" },
    ]);
    const fields = {
      topic_id: await addTopic(world, ids.slice(0, 5)),
      segment_id: await addSegment(world, "country:DE"),
      exclude_segment_ids: [await addSegment(world, "tired:yes")],
      where: "plan:pro",
    };
    expect((await owner.request("PATCH", one, fields)).body).toMatchObject(fields);
    await start();
    expect(await look()).toMatchObject({ audience: "plan:pro and country:DE and not tired:yes" });
    await pass(AFTER_UNDO_MS);
    expect(await look()).toMatchObject({ state: "done", sent: 2 });
    expect(namesOf(await news.received())).toEqual(["s0", "s1"]);
    expect((await owner.get(`${one}/ledger`)).body).toMatchObject({ total: 2, skipped: 0 });
    const list = await owner.get<{ recipients: { email: string }[] }>(`${one}/recipients`);
    expect(namesOf(list.body.recipients.map(({ email }) => email))).toEqual(["s0", "s1"]);
  });

  it("is evaluated again at the claim: a subscriber who has left the topic or the condition gets no mail", async () => {
    const world = await draftWorld(4);
    const { owner, one, start, clock, deps, id, work, news, look, exec } = world;
    const ids = await describeNth(
      world,
      Array.from({ length: 4 }, () => ({ country: "DE" })),
    );
    const topic = await addTopic(world, ids);
    await owner.request("PATCH", one, { topic_id: topic, where: "country:DE" });
    await start();
    clock.aheadMs += AFTER_UNDO_MS;
    await planBroadcast(deps, id);
    const waiting = await owner.get<{ recipients: object[] }>(`${one}/recipients?outcome=waiting`);
    expect(waiting.body.recipients).toHaveLength(4);
    await owner.put(`${news.path}/subscribers/${ids[0]}/topics`, { [topic]: "unsubscribed" });
    await exec("update subscribers set metadata = '{}' where id = ?", ids[1]);
    const left = await owner.get<{ recipients: object[] }>(`${one}/recipients?outcome=waiting`);
    expect(left.body.recipients).toHaveLength(2);
    await work();
    expect(namesOf(await news.received())).toEqual(["s2", "s3"]);
    expect((await owner.get(`${one}/ledger`)).body).toMatchObject({
      total: 4,
      sent: 2,
      skipped: 2,
    });
    expect(await look()).toMatchObject({ state: "done" });
  });

  it("is frozen at the start: a changed segment or a foreign topic has no effect", async () => {
    const world = await draftWorld(2);
    const { owner, at, one, start, pass, news, exec } = world;
    await describeNth(world, [{ country: "DE" }, { country: "FR" }]);
    const segment = await addSegment(world, "country:DE");
    await owner.request("PATCH", one, { segment_id: segment });
    await start();
    await exec("update segments set condition = 'country:FR' where id = ?", segment);
    await pass(AFTER_UNDO_MS);
    expect(namesOf(await news.received())).toEqual(["s0"]);
    const nobody = { segment_id: segment, exclude_segment_ids: [segment] };
    const empty = await owner.post<Draft>(at, {
      name: "n",
      subject: "S",
      html_body: "x",
      ...nobody,
    });
    expect((await owner.post(`${at}/${empty.body.id}/start`, ANYWAY)).status).toBe(202);
    expect((await owner.get(`${at}/${empty.body.id}`)).body).toMatchObject({
      audience: "country:FR and not country:FR",
    });
    const other = await draftWorld(0);
    const foreign = {
      segment_id: await addSegment(other, "country:DE"),
      topic_id: await addTopic(other, []),
      exclude_segment_ids: [segment],
    };
    for (const [field, value] of Object.entries(foreign).slice(0, 2))
      expect((await owner.post(at, { name: "n", [field]: value })).status).toBe(404);
    expect((await owner.post(at, { name: "n", where: "country:" })).status).toBe(400);
  });

  it("excludes subscribers within the project's frequency cap", async () => {
    const world = await draftWorld(2);
    const { owner, at, news, start, look, exec, clock, id, deps, work, pass } = world;
    await exec(
      `update projects set audience_settings = '{"minDaysBetweenBroadcasts": 3}' where id = ?`,
      news.id,
    );
    await start();
    expect(await look()).toMatchObject({ audience: "not mailed:3d" });
    const second = await owner.post<Draft>(at, { name: "June", template_id: news.templateId });
    await owner.post(`${at}/${second.body.id}/start`, ANYWAY);
    clock.aheadMs += AFTER_UNDO_MS;
    await planBroadcast(deps, id);
    await news.subscribe(1, () => `new.${news.from}`);
    await planBroadcast(deps, second.body.id);
    const waiting = { state: "scheduled", waiting_for: { broadcast_id: id, name: "May" } };
    expect(await news.progress(second.body.id)).toMatchObject(waiting);
    await work();
    expect(await look()).toMatchObject({ state: "done", sent: 2, waiting_for: null });
    await pass(0);
    expect(await news.progress(second.body.id)).toMatchObject({ state: "done", sent: 1 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });
});

describe("a condition that no longer compiles", () => {
  it("pauses its broadcast or keeps it from starting, and stops no other one", async () => {
    const world = await draftWorld(2, { where: "not tag:moon" });
    const { exec, run, start, pass, look, id, news, owner, one } = world;
    await start();
    await exec("update broadcasts set audience_where = 'moon:' where id = ?", id);
    await pass(AFTER_UNDO_MS);
    expect(await look()).toMatchObject({
      state: "draft",
      error: expect.stringMatching(/^not started: its audience condition/),
    });
    await exec(
      "update broadcasts set kind = 'broadcast', state = 'sending', cutoff_id = 'f' where id = ?",
      id,
    );
    await run();
    expect(await look()).toMatchObject({ state: "paused", sent: 0 });
    await owner.post(`${one}/cancel`);
    expect(await news.received()).toEqual([]);
  });
});

describe("a draft to subscribers whom a broadcast missed", () => {
  it("goes to those who joined since it began, or who did not open it, with another subject", async () => {
    const world = await draftWorld(3);
    const { owner, at, one, start, pass, news, exec, mails, deps } = world;
    const waiting = `late.${news.from}`;
    await news.subscribe(1, () => waiting, "pending");
    await news.subscribe(1, (n) => `s9${n}.${news.from}`);
    expect((await owner.post(`${one}/resend`, { to: "joined" })).status).toBe(409);
    await start();
    await pass(AFTER_UNDO_MS);
    const [opened, left] = (await mails()).map((mail) => mail.to_email);
    await exec(
      "update log_entries set opened_at = 1, opened_class = 'human' where to_email = ?",
      opened,
    );
    await news.subscribe(2, (n) => `new${n}.${news.from}`);
    // One was pending at the start. Another one left after it and came back.
    const later = deps.now() + 1_000;
    await exec("update subscribers set status = 'active' where email = ?", waiting);
    for (const email of [waiting, left ?? ""]) await addStep(world, email, "confirmed", later);
    await addStep(world, left ?? "", "unsubscribed", later - 1);
    const send = async (to: string) => {
      const copy = await owner.post<Draft>(`${one}/resend`, { to, subject: `Again: ${to}` });
      expect(copy).toMatchObject({ status: 201, body: { resend: { to } } });
      const zone = { time_zone: "Europe/Berlin" };
      const zoned = await owner.request("PATCH", `${at}/${copy.body.id}`, zone);
      expect(zoned.status).toBe(to === "joined" ? 200 : 400);
      await owner.request("PATCH", `${at}/${copy.body.id}`, { time_zone: "" });
      const ab = { variants: [{ subject: "A" }, { subject: "B" }] };
      const trial = await owner.request("PATCH", `${at}/${copy.body.id}`, { ab });
      expect([trial.status, trial.body["error"]]).toEqual(
        to === "joined" ? [200, null] : [400, NOT_AT_ONCE],
      );
      await owner.request("PATCH", `${at}/${copy.body.id}`, { ab: { variants: [] } });
      await owner.post(`${at}/${copy.body.id}/start`, ANYWAY);
      await pass(AFTER_UNDO_MS);
      return (await mails())
        .filter(({ subject }) => subject === `Again: ${to}`)
        .map((m) => m.to_email);
    };
    const all = (await mails()).map((mail) => mail.to_email);
    const missed = await send("not_opened");
    expect(new Set(missed)).toEqual(new Set(all.filter((email) => email !== opened)));
    expect(missed).toHaveLength(3);
    const joined = await send("joined");
    expect(joined.map((email) => email.slice(0, 4)).toSorted((a, b) => a.localeCompare(b))).toEqual(
      ["late", "new0", "new1"],
    );
  });

  it("counts subscribers who chose its topic since it began as joined, unless they had it or left it since then", async () => {
    const world = await draftWorld(4);
    const { owner, one, at, start, pass, news, clock, mails } = world;
    const [had = "", came = "", left = "", other = ""] = await idsOf(world);
    const topicId = await addTopic(world, [had, left]);
    await owner.post(`${news.path}/topics`, { name: "Tips" });
    expect((await owner.request("PATCH", one, { topic_id: topicId })).status).toBe(200);
    await start();
    await pass(AFTER_UNDO_MS);
    clock.aheadMs += 1_000;
    const choose = (id: string, topic: string, state = "subscribed") =>
      owner.put(`${news.path}/subscribers/${id}/topics`, { [topic]: state });
    await choose(had, "Tips");
    await choose(came, "Weekly");
    await choose(left, "Weekly", "unsubscribed");
    await choose(left, "Weekly");
    await choose(other, "Tips");
    const copy = await owner.post<Draft>(`${one}/resend`, { to: "joined", subject: "Again" });
    const accept = ["similar_broadcast"]; // an audience of nobody would be refused
    const started = await owner.post(`${at}/${copy.body.id}/start`, { accept });
    expect(started.status).toBe(202);
    await pass(AFTER_UNDO_MS);
    const sent = async (isAgain: boolean) => {
      const found = (await mails()).filter(({ subject }) => (subject === "Again") === isAgain);
      return namesOf(found.map((mail) => mail.to_email));
    };
    expect([await sent(false), await sent(true)]).toEqual([["s0", "s2"], ["s1"]]);
  });

  it("excludes recipients of the broadcast, or of an earlier one to those who joined since", async () => {
    const world = await draftWorld(1);
    const { owner, one, at, start, pass, news, clock, mails, deps, id, exec } = world;
    const late = `late.${news.from}`;
    await news.subscribe(1, () => late, "pending");
    await news.subscribe(1, (n) => `s9${n}.${news.from}`);
    await start();
    clock.aheadMs += AFTER_UNDO_MS;
    await planBroadcast(deps, id);
    clock.aheadMs += 1_000;
    await exec(
      "update subscribers set status = 'active' where email = ? and project_id = ?",
      late,
      news.id,
    );
    await addStep(world, late, "confirmed", deps.now());
    await pass(0);
    const again = async (subject: string, ab?: object) => {
      const copy = await owner.post<Draft>(`${one}/resend`, { to: "joined", subject });
      const path = `${at}/${copy.body.id}`;
      if (ab) await owner.request("PATCH", path, { ab });
      const { body } = await owner.post(`${path}/preflight`);
      expect(body).toMatchObject({ recipients: { active: 1, total: 1 } });
      await owner.post(`${path}/start`, ANYWAY);
      await pass(AFTER_UNDO_MS);
      expect((await owner.get(`${path}/ledger`)).body).toMatchObject({ total: 1, sent: 1 });
      await owner.post(`${path}/cancel`); // an A/B test waits for its winner
      const skipped = await owner.get(`${path}/recipients?outcome=skipped`);
      expect(skipped.body).toMatchObject({ recipients: [] });
    };
    await news.subscribe(1, () => `new.${news.from}`);
    await again("Again");
    await news.subscribe(1, () => `newer.${news.from}`);
    await again("Tried", { variants: [{ subject: "A" }, { subject: "B" }], share: 100 });
    const received = (name: string) =>
      mails().then((all) => all.filter((mail) => mail.to_email === `${name}.${news.from}`));
    expect(await received("late")).toMatchObject([{ subject: "For n0" }]);
    expect(await received("new")).toMatchObject([{ subject: "Again" }]); // no second time
    expect(await received("newer")).toHaveLength(1);
  });

  it("pauses on its first outcomes like any other broadcast", async () => {
    const { owner, one, at, start, pass, news } = await draftWorld(1);
    await start();
    await pass(AFTER_UNDO_MS);
    await news.subscribe(30, (n) => `rcpt.550.5.1.1.b${n}.${news.from}`);
    const copy = await owner.post<Draft>(`${one}/resend`, { to: "joined", subject: "Again" });
    await owner.post(`${at}/${copy.body.id}/start`, ANYWAY);
    await pass(AFTER_UNDO_MS);
    const { body } = await owner.get(`${at}/${copy.body.id}`);
    expect(body).toMatchObject({ state: "paused" });
    expect(body["error"]).toContain("addresses do not exist");
  });
});

describe("a broadcast by time zones", () => {
  const zones = ["Asia/Tokyo", "Europe/Berlin", "America/New_York", "nonsense", 7, undefined];

  /**
   * Returns a function that runs the sweep before a time, and the sender at the time. It returns who
   * was mailed by then.
   */
  function untilIn({ clock, deps, news }: DraftWorld) {
    const moveTo = (time: number) => {
      clock.aheadMs += Math.max(0, time - deps.now());
    };
    return async (time: number) => {
      moveTo(time - 30_000);
      await runScheduled(deps, EVERY_MINUTE);
      moveTo(time + 1_000);
      await workOff(deps, news.id);
      return namesOf(await news.received());
    };
  }

  /** A world whose broadcast is meant for 9 o'clock in Berlin, two days ahead. */
  async function zonedWorld() {
    const berlin = clockOf("Europe/Berlin");
    if (!berlin) throw new Error("no zone");
    const day = Math.ceil(Date.now() / 86_400_000 + 1) * 86_400_000;
    const wall = day + 9 * HOUR_MS;
    const sendAt = momentOf(berlin, wall);
    const world = await draftWorld(zones.length, {
      send_at: new Date(sendAt).toISOString(),
      time_zone: "Europe/Berlin",
    });
    await describeNth(
      world,
      zones.map((timezone) => ({ timezone })),
    );
    const at = (zone: string) => {
      const clock = clockOf(zone);
      if (!clock) throw new Error("no zone");
      return momentOf(clock, wall);
    };
    return { ...world, wall, sendAt, at, until: untilIn(world) };
  }

  it("reaches each subscriber at the local time of their zone, and the others at that of its own", async () => {
    const world = await zonedWorld();
    const { start, until, at, look, sendAt, owner, one } = world;
    expect((await start()).status).toBe(202);
    expect(await look()).toMatchObject({
      starts_at: new Date(world.wall - 14 * HOUR_MS).toISOString(),
    });
    expect(await until(at("Asia/Tokyo") - 60_000)).toEqual([]);
    expect(await look()).toMatchObject({ state: "sending" });
    expect(await until(at("Asia/Tokyo"))).toEqual(["s0"]);
    await owner.post(`${one}/pause`);
    await owner.post(`${one}/resume`);
    expect(await until(sendAt - 60_000)).toEqual(["s0"]);
    expect(await until(sendAt)).toEqual(["s0", "s1", "s3", "s4", "s5"]);
    expect(await until(at("America/New_York") - 60_000)).toHaveLength(5);
    expect(await until(at("America/New_York"))).toHaveLength(6);
    expect(await look()).toMatchObject({ state: "done", sent: 6 });
    expect(await expectNobodyLost(world, 6)).toBe(0);
  });

  it("pauses on its first outcomes, even if an earlier zone has received its mails", async () => {
    const world = await zonedWorld();
    const { start, until, at, look, sendAt, news } = world;
    await news.subscribe(30, (n) => `rcpt.550.5.1.1.b${n}.${news.from}`);
    await start();
    await until(at("Asia/Tokyo"));
    expect(await look()).toMatchObject({ state: "sending" });
    await until(sendAt);
    expect(await look()).toMatchObject({
      state: "paused",
      error: expect.stringContaining("addresses do not exist"),
    });
  });

  it("mails no recipient twice and loses none when its sender dies planning and sending", async () => {
    const world = await zonedWorld();
    const { start, until, at, look, id, queued, sendAt, clock, deps, pass } = world;
    await start();
    clock.aheadMs += at("Pacific/Kiritimati") + 1_000 - Date.now() - clock.aheadMs;
    const dead = () => Promise.reject(deathOfWorker("killed"));
    for (const when of ["before", "after"] as const) {
      const killed = stalledApp(world, { nth: when === "before" ? 2 : 1, when, meanwhile: dead });
      await planBroadcast(killed, id).catch(() => undefined);
    }
    queued.length = 0;
    await pass(60_000);
    await until(at("Asia/Tokyo") - 60_000);
    clock.aheadMs += 61_000;
    await runUntilDeath(world, { at: "record", when: "before" });
    queued.length = 0;
    await pass(5 * 60_000);
    await until(sendAt);
    await until(at("America/New_York"));
    for (let minute = 0; minute < 5 && (await look()).state !== "done"; minute++)
      await pass(60_000);
    expect(await expectNobodyLost(world, 6)).toBe(0); // its outcome was in the journal
    expect(await look()).toMatchObject({ state: "done", sent: 6 });
    expect(deps.now()).toBeGreaterThan(sendAt);
  });

  it("requires a time and an existing zone", async () => {
    const { owner, one, start } = await draftWorld(0, { time_zone: "Europe/Berlin" });
    expect((await start()).body.error).toBe("time_zone: requires send_at");
    expect((await owner.request("PATCH", one, { time_zone: "Mars/Olympus" })).status).toBe(400);
  });
});

describe("a broadcast with a pace", () => {
  it("never exceeds its hourly limit, and spreads its mails over the hour", async () => {
    const { start, pass, look, news, owner, one } = await draftWorld(8, { per_hour: 24 });
    await start();
    await pass(AFTER_UNDO_MS);
    expect(await news.received()).toHaveLength(2); // of 24 an hour, 2 go in five minutes
    await pass(4 * 60_000);
    expect(await news.received()).toHaveLength(2);
    await pass(2 * 60_000);
    expect(await news.received()).toHaveLength(4);
    expect(await look()).toMatchObject({ state: "sending", sent: 4, failed: 0, per_hour: 24 });
    await owner.post(`${one}/cancel`);
    expect(await look()).toMatchObject({ state: "cancelled", sent: 4 });
  });

  it("doubles the mails of its warm-up with each day of sending, so a pause skips no step", async () => {
    const world = await draftWorld(8, { warm_up: { first_day: 1 } });
    const { owner, one, start, pass, look, news } = world;
    const passDays = (days: number) => pass(days * 24 * HOUR_MS);
    await start();
    await pass(AFTER_UNDO_MS);
    expect(await news.received()).toHaveLength(1);
    await owner.post(`${one}/pause`);
    await passDays(4);
    await owner.post(`${one}/resume`);
    await pass(0);
    expect(await news.received()).toHaveLength(1 + 2);
    await passDays(1);
    expect(await news.received()).toHaveLength(1 + 2 + 4);
    await passDays(1);
    expect(await look()).toMatchObject({ state: "done", sent: 8 });
  });
});
