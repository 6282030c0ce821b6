/* Who leaves an automation or rests in it, and by which version they move. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/lib/automation-definition.ts";
import { automationWorld, mail, startVersion, wait } from "../../support/automating.ts";
import { allRows } from "../../support/rows.ts";
import { DAY, HOUR, MINUTE } from "../../support/times.ts";

describe("a run", () => {
  it("ends at the next move of whoever unsubscribed, was suppressed or deleted, or met the goal", async () => {
    const world = await automationWorld({
      steps: [wait("pause"), mail("next")],
      goal: { event: "bought" },
    });
    const { news, owner, subscribe, happen, work, pass, runs, received, counts } = world;
    const [left = "", suppressed, deleted = "", buyer = "", stays] = await subscribe(5);
    await happen("signed_up", [left, suppressed, deleted, buyer, stays].map(String));
    await work();
    await owner.request("PATCH", `${news.path}/subscribers/${left}`, { status: "unsubscribed" });
    await owner.post(`${news.path}/suppressions`, { emails: [`1.${news.from}`] });
    await owner.request("DELETE", `${news.path}/subscribers/${deleted}`);
    await happen("bought", [buyer]);
    await pass(MINUTE);
    expect((await runs()).map(({ outcome }) => outcome)).toEqual([
      "unsubscribed",
      null,
      null,
      "goal",
      null,
    ]);
    await pass(DAY);
    expect((await runs()).map(({ outcome }) => outcome)).toEqual([
      "unsubscribed",
      "suppressed",
      "deleted",
      "goal",
      "completed",
    ]);
    expect(await received()).toEqual(["next n4"]);
    expect(await counts()).toMatchObject({
      "pause in": 5,
      "pause out": 5,
      "pause unsubscribed": 1,
      "pause suppressed": 1,
      "pause deleted": 1,
      "pause goal": 1,
      "next completed": 1,
    });
  });

  it("leaves no trace of who does not meet the condition of the trigger, and ends by that of the goal", async () => {
    const world = await automationWorld({
      steps: [mail("first")],
      trigger: { type: "event", event: "signed_up", where: "not name:n0" },
      goal: { where: "name:n1" },
    });
    await world.happen("signed_up", await world.subscribe(3));
    await world.work();
    expect(await world.runs()).toMatchObject([{ outcome: "goal" }, { outcome: "completed" }]);
    expect(await world.counts()).toMatchObject({ " in": 2, " goal": 1, "first completed": 1 });
    expect(await world.received()).toEqual(["first n2"]);
  });

  it("mails nobody without the topic of a step, who moves on", async () => {
    const world = await automationWorld({ steps: [wait("pause")] });
    const { news, owner, id, definition, subscribe, happen, pass, work, received, runs } = world;
    const topic = await owner.post<{ id: string }>(`${news.path}/topics`, { name: "Tips" });
    const steps = [mail("tips", { topic_id: topic.body.id }), wait("pause")];
    await startVersion(news.id, id, { ...definition, steps }, 2);
    const people = await subscribe(2);
    await allRows(
      "insert into topic_consents values (?, ?, 'subscribed', 1, 'api')",
      topic.body.id,
      people[1],
    );
    await happen("signed_up", people);
    await work();
    await pass(MINUTE);
    expect(await received()).toEqual(["tips n1"]);
    expect(await runs()).toMatchObject([{ step: "pause" }, { step: "pause" }]);
  });

  it("does not hold up whoever goes without the mail of a topic, nor counts it", async () => {
    const world = await automationWorld({ steps: [wait("pause")] });
    const { news, owner, id, definition, subscribe, happen, pass, work, received, runs } = world;
    await owner.put(`${news.path}/audience-settings`, {
      automations: { quiet_hours: null, max_per_week: 1 },
    });
    const { body: topic } = await owner.post<{ id: string }>(`${news.path}/topics`, {
      name: "Tips",
    });
    const tips = mail("tips", { topic_id: topic.id });
    const more = mail("more", { topic_id: topic.id });
    const join: Step = { id: "join", type: "set", topics: { [topic.id]: true } };
    const steps = [tips, mail("hello"), wait("week", "1 week"), join, more];
    await startVersion(news.id, id, { ...definition, steps }, 2);
    await happen("signed_up", await subscribe(1));
    await work();
    expect(await received()).toEqual(["hello n0"]);
    expect(await runs()).toMatchObject([
      { step: "week", mails: expect.not.stringMatching("tips") },
    ]);
    await pass(7 * DAY);
    expect(await received()).toEqual(["hello n0", "more n0"]);
  });

  it("waits with a mail to active people until its subscriber has confirmed", async () => {
    const world = await automationWorld({
      steps: [mail("reminder", { to: "pending" }), mail("welcome")],
    });
    const { subscribe, happen, work, pass, received, runs } = world;
    const [pending = ""] = await subscribe(1, "pending");
    await happen("signed_up", [pending]);
    await work();
    expect(await runs()).toMatchObject([{ step: "welcome", due_at: null, outcome: null }]);
    expect(await received()).toEqual(["reminder n0"]);
    await allRows(
      "update subscribers set status = 'active', updated_at = ? where id = ?",
      world.deps.now(),
      pending,
    );
    await pass(MINUTE);
    expect(await received()).toEqual(["reminder n0", "welcome n0"]);
  });

  it("ends when a pending person is deleted", async () => {
    const world = await automationWorld({ steps: [mail("welcome")] });
    const [pending = ""] = await world.subscribe(1, "pending");
    await world.happen("signed_up", [pending]);
    await world.work();
    await world.owner.request("DELETE", `${world.news.path}/subscribers/${pending}`);
    await world.pass(MINUTE);
    expect(await world.runs()).toMatchObject([{ outcome: "deleted", step: "welcome" }]);
  });
});

describe("a mail", () => {
  it("waits for the end of quiet hours in the recipient's zone", async () => {
    const world = await automationWorld({ steps: [mail("first")] });
    const { news, owner, clock, subscribe, happen, work, runs, received, pass } = world;
    const quiet = { from: "22:00", to: "08:00", zone: "recipient" };
    const saved = await owner.put(`${news.path}/audience-settings`, {
      automations: { quiet_hours: quiet, max_per_week: 0 },
    });
    expect(saved.body["automations"]).toEqual({ quiet_hours: quiet, max_per_week: 0 });
    Object.assign(clock, { stoppedAt: Date.parse("2027-01-10T22:30:00Z"), aheadMs: 0 });
    const [utc = "", newYork = ""] = await subscribe(2);
    await allRows(
      `update subscribers set metadata = '{"timezone":"America/New_York"}' where id = ?`,
      newYork,
    );
    await happen("signed_up", [utc, newYork]);
    await work();
    expect(await received()).toEqual(["first n1"]);
    const [resting] = await runs();
    expect(resting).toMatchObject({ step: "first", due_at: Date.parse("2027-01-11T08:00:00Z") });
    await pass(9 * HOUR + 30 * MINUTE);
    expect(await received()).toEqual(["first n0", "first n1"]);
    expect(await world.counts()).toMatchObject({ "first in": 2, "first out": 2 });
  });

  it("waits while its recipient has had the most mails of a week, of all automations", async () => {
    const world = await automationWorld({ steps: [mail("one"), mail("two"), mail("three")] });
    const { news, owner, subscribe, happen, work, runs, received, pass } = world;
    await owner.put(`${news.path}/audience-settings`, {
      automations: { quiet_hours: null, max_per_week: 2 },
    });
    await happen("signed_up", await subscribe(1));
    await work();
    expect(await received()).toEqual(["one n0", "two n0"]);
    expect(await runs()).toMatchObject([{ step: "three", outcome: null }]);
    await pass(6 * DAY);
    expect(await received()).toHaveLength(2);
    await pass(DAY);
    expect(await received()).toHaveLength(3);
  });

  it("waits for the days between two broadcasts", async () => {
    const world = await automationWorld({ steps: [mail("one"), mail("two")] });
    const { news, owner, subscribe, happen, work, received, pass } = world;
    await owner.put(`${news.path}/audience-settings`, { min_days_between_broadcasts: 3 });
    const people = await subscribe(1);
    await allRows(
      "insert into subscriber_mailings (project_id, at, first_id, last_id, ids) values (?, ?, ?, ?, ?)",
      news.id,
      world.deps.now() - DAY,
      people[0],
      people[0],
      JSON.stringify(people),
    );
    await happen("signed_up", people);
    await work();
    expect(await received()).toEqual([]);
    await pass(2 * DAY + MINUTE);
    expect(await received()).toEqual(["one n0"]);
    await pass(3 * DAY + MINUTE);
    expect(await received()).toEqual(["one n0", "two n0"]);
  });

  it("shows the data of the event that started its run", async () => {
    const world = await automationWorld({
      steps: [mail("cart", { subject: "{{event.product}} for {{name}}" })],
    });
    const [ann = "", ben = ""] = await world.subscribe(2);
    await world.happen("signed_up", [ann], { product: "Boots" });
    await world.happen("signed_up", [ben], { product: "Hat" });
    await world.work();
    expect(await world.received()).toEqual(["Boots for n0", "Hat for n1"]);
    const logged = await allRows(
      "select subject from logged_mails where project_id = ? order by 1",
      world.news.id,
    );
    expect(logged).toEqual([{ subject: "Boots for n0" }, { subject: "Hat for n1" }]);
  });

  it("that cannot be sent pauses its automation with the reason, and goes out once it starts again", async () => {
    const world = await automationWorld({ steps: [mail("first"), wait("pause"), mail("second")] });
    const { news, id, subscribe, happen, work, pass, received, runs } = world;
    await allRows("update projects set smtp_host = null where id = ?", news.id);
    await happen("signed_up", await subscribe(1));
    await work();
    const [paused] = await allRows("select state, reasons from automations where id = ?", id);
    expect(paused).toMatchObject({
      state: "paused",
      reasons: expect.stringContaining("smtp_not_configured"),
    });
    const mails = await allRows(
      "select distinct state from broadcasts where automation_id = ?",
      id,
    );
    expect(mails).toEqual([{ state: "paused" }]);
    await pass(2 * DAY);
    expect(await received()).toEqual([]);
    expect(await runs()).toMatchObject([{ step: "pause" }]);
  });
});

describe("a new version", () => {
  it("moves people inside on from the step at which they rest, if the older one says so", async () => {
    const world = await automationWorld({ steps: [wait("pause"), mail("old")] });
    const { news, id, definition, subscribe, happen, work, pass, received, counts } = world;
    await happen("signed_up", await subscribe(2));
    await work();
    await startVersion(news.id, id, { ...definition, steps: [wait("pause"), mail("new")] }, 2);
    await allRows(
      "update automation_versions set moves_on = 1 where automation_id = ? and version = 1",
      id,
    );
    await pass(DAY);
    expect(await received()).toEqual(["new n0", "new n1"]);
    expect(await counts(1)).toMatchObject({ "pause in": 2, "pause out": 2 });
    expect(await counts(2)).toMatchObject({ "pause in": 2, "pause out": 2, "new completed": 2 });
  });

  it("does not get the people of older versions if those of the one before stay", async () => {
    const world = await automationWorld({ steps: [wait("pause"), mail("old")] });
    const { news, id, definition, subscribe, happen, work, pass, received } = world;
    const enter = async () => {
      await happen("signed_up", await subscribe(1));
      await work();
    };
    const publish = (version: number, subject: string) =>
      startVersion(
        news.id,
        id,
        { ...definition, steps: [wait("pause"), mail("next", { subject })] },
        version,
      );
    await enter();
    await publish(2, "second {{email}}");
    await allRows(
      "update automation_versions set moves_on = 1 where automation_id = ? and version = 1",
      id,
    );
    await enter();
    await publish(3, "third {{email}}");
    await enter();
    await pass(DAY);
    const mailed = (subject: string, n: number) => `${subject} ${n}.${news.from}`;
    expect(await received()).toEqual([
      mailed("second", 0),
      mailed("second", 1),
      mailed("third", 2),
    ]);
  });

  it("has its own goal, which counts for those who move on to it, too", async () => {
    const world = await automationWorld({
      steps: [wait("pause"), mail("next")],
      goal: { event: "bought" },
    });
    const { news, id, definition, subscribe, happen, work, pass, received, runs } = world;
    const [ann = "", bob = "", cyd = ""] = await subscribe(3);
    const publish = (version: number, event: string) =>
      startVersion(news.id, id, { ...definition, goal: { event } }, version);
    await happen("signed_up", [ann, bob]);
    await work();
    await publish(2, "subscribed");
    await happen("signed_up", [cyd]);
    await happen("bought", [ann]);
    await happen("subscribed", [bob]);
    await pass(MINUTE);
    expect((await runs()).map(({ outcome }) => outcome)).toEqual(["goal", null, null]);
    await allRows(
      "update automation_versions set moves_on = 1 where automation_id = ? and version = 2",
      id,
    );
    await publish(3, "renewed");
    await happen("renewed", [bob, cyd]);
    await pass(MINUTE);
    expect((await runs()).map(({ outcome }) => outcome)).toEqual(["goal", null, "goal"]);
    await pass(DAY);
    expect(await received()).toEqual(["next n1"]);
  });

  it("leaves people inside on theirs otherwise, and where it has no such step", async () => {
    const world = await automationWorld({ steps: [wait("pause"), mail("old")] });
    const { news, id, definition, subscribe, happen, work, pass, received } = world;
    await happen("signed_up", await subscribe(1));
    await work();
    await startVersion(news.id, id, { ...definition, steps: [mail("new")] }, 2);
    await allRows(
      "update automation_versions set moves_on = 1 where automation_id = ? and version = 1",
      id,
    );
    await pass(DAY);
    expect(await received()).toEqual(["old n0"]);
  });
});
