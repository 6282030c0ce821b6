/* The simulator of automations, against runs worked out by hand. */
import { describe, expect, it } from "vitest";
import type { Definition } from "../../../src/lib/automation-definition.ts";
import { AutomationModel, type Person } from "../../support/automation-model.ts";
import { DAY, HOUR } from "../../support/times.ts";

const START = Date.UTC(2026, 10, 2, 9, 30); // a Monday

const person = (id: string, own: Partial<Person> = {}): Person => ({
  id,
  status: "active",
  isSuppressed: false,
  tags: [],
  metadata: {},
  topics: [],
  ...own,
});

const send = (id: string) => ({ id, type: "send" as const, subject: id, html_body: id });

/** A cart that is reminded of after four hours, and a day later again with a voucher for some. */
const CART: Definition = {
  trigger: { type: "event", event: "cart" },
  goal: { event: "bought" },
  reentry: { after_days: 7 },
  steps: [
    { id: "four", type: "wait", for: "4 hours" },
    send("reminder"),
    { id: "answer", type: "wait", event: { name: "visited", within: "1 day" } },
    {
      id: "kind",
      type: "branch",
      ways: [{ where: "tag:vip", steps: [send("voucher")] }],
      else: [{ id: "mark", type: "set", add_tags: ["left-cart"] }],
    },
    { id: "morning", type: "wait", until: { weekday: "friday", time: "08:00", zone: "recipient" } },
    send("last"),
  ],
};

describe("the simulator of automations", () => {
  it("leads people through waits, branches and mails", () => {
    const people = [person("ann", { tags: ["vip"] }), person("bob"), person("cyd"), person("dan")];
    const model = new AutomationModel(CART, people);
    for (const who of ["ann", "bob", "cyd", "dan"])
      model.happen({ type: "event", who, name: "cart" }, START);
    model.look(START);
    expect(model.rests).toEqual(["ann four", "bob four", "cyd four", "dan four"]);
    model.happen({ type: "event", who: "dan", name: "bought" }, START + HOUR);
    model.look(START + 4 * HOUR);
    model.happen({ type: "event", who: "bob", name: "visited" }, START + 5 * HOUR);
    model.happen({ type: "leaves", who: "cyd" }, START + 5 * HOUR);
    model.look(START + 6 * HOUR);
    expect(model.rests).toEqual(["ann answer", "bob morning"]);
    model.look(START + 2 * DAY);
    model.look(START + 5 * DAY);
    const times = model.mails.map(({ who, step, at }) => `${who} ${step} ${(at - START) / HOUR}`);
    expect(times.join(", ")).toBe(
      "ann reminder 4, bob reminder 4, cyd reminder 4, ann voucher 48, ann last 120, bob last 120",
    );
    const outcomes = ["completed", "completed", "unsubscribed", "goal"];
    expect(model.runs.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(model.counts).toMatchObject({
      " in": 4,
      "four goal": 1,
      "answer unsubscribed": 1,
      "kind in": 2,
      "mark in": 1,
      "last completed": 2,
    });
  });

  it("lets people return, keeps the hours of quiet, and asks for a confirmation", () => {
    const definition: Definition = {
      trigger: { type: "event", event: "cart", where: "not tag:staff" },
      reentry: { after_days: 7 },
      steps: [send("one"), send("two")],
    };
    const people = [
      person("ann", { metadata: { timezone: "Asia/Tokyo" } }),
      person("bob", { status: "pending" }),
      person("cyd", { tags: ["staff"] }),
    ];
    const rules = { quietHours: { from: "17:00", to: "08:00" }, maxPerWeek: 1, minDays: 0 };
    const model = new AutomationModel(definition, people, rules);
    for (const who of ["ann", "bob", "cyd"])
      model.happen({ type: "event", who, name: "cart" }, START);
    model.look(START); // 18:30 in Tokyo
    expect(model.rests).toEqual(["ann one", "bob one"]);
    model.look(START + 14 * HOUR);
    expect(model.rests).toEqual(["ann two", "bob one"]);
    model.happen({ type: "confirms", who: "bob" }, START + DAY);
    for (let hour = 24; hour <= 9 * 24; hour++) model.look(START + hour * HOUR);
    model.happen({ type: "event", who: "ann", name: "cart" }, START + 9 * DAY);
    model.happen({ type: "event", who: "ann", name: "cart" }, START + 15 * DAY);
    const runsOfAnn = model.runs.filter(({ who }) => who === "ann");
    const mails = model.mails.map(({ who, step }) => `${who} ${step}`);
    expect(mails).toEqual(["ann one", "bob one", "ann two", "bob two"]);
    expect(runsOfAnn.map(({ outcome }) => outcome)).toEqual(["completed", null]);
    expect(model.counts[" in"]).toBe(2);
  });

  it("mails those who consent, tells others, and ends at once when it stops", () => {
    const definition: Definition = {
      trigger: { type: "topic", topic_id: "news" },
      reentry: "always",
      steps: [
        { ...send("news"), topic_id: "news" },
        { ...send("tips"), topic_id: "tips" },
        { id: "shop", type: "webhook", url: "https://any.test" },
        { id: "leave", type: "set", topics: { tips: true } },
        { ...send("again"), topic_id: "tips" },
        { id: "team", type: "notify", emails: [] },
        { id: "rest", type: "wait", for: "1 day" },
      ],
    };
    const model = new AutomationModel(definition, [person("ann"), person("bob")]);
    model.happen({ type: "consents", who: "ann", topic: "news" }, START);
    model.look(START);
    expect(model.mails.map(({ step, isSent }) => `${step} ${isSent}`)).toEqual([
      "news true",
      "again true",
    ]);
    expect(model.told).toEqual(["webhook ann shop", "notify ann team"]);
    model.happen({ type: "consents", who: "bob", topic: "news" }, START + HOUR);
    model.happen({ type: "stop" }, START + 2 * HOUR);
    model.happen({ type: "start" }, START + 3 * HOUR);
    model.look(START + 2 * DAY);
    expect(model.runs.map(({ outcome }) => outcome)).toEqual(["stopped", "stopped"]);
    expect(model.counts).toMatchObject({ " in": 1, "rest stopped": 1 });
  });

  it("moves people on to a new version with their step, which has a goal of its own", () => {
    const definition: Definition = {
      trigger: { type: "manual" },
      goal: { event: "bought" },
      reentry: "never",
      steps: [{ id: "a", type: "wait", for: "1 day" }, send("old")],
    };
    const model = new AutomationModel(
      definition,
      ["ann", "bob", "cyd", "dan"].map((id) => person(id)),
    );
    const enter = (who: string, at: number) => {
      model.happen({ type: "is_entered", who }, at);
      model.look(at);
    };
    const edit = (inside: "stay" | "move", id: string, event: string, at: number) =>
      model.happen(
        {
          type: "edit",
          inside,
          goal: { event },
          steps: [{ id, type: "wait", for: "2 days" }, send("new")],
        },
        at,
      );
    enter("ann", START);
    edit("stay", "a", "paid", START + 1);
    enter("bob", START + 2);
    edit("move", "b", "left", START + 3); // without the step at which they rest
    enter("cyd", START + 4);
    edit("move", "a", "found", START + 5);
    enter("dan", START + 6);
    model.happen({ type: "event", who: "dan", name: "bought" }, START + HOUR);
    model.happen({ type: "event", who: "bob", name: "found" }, START + HOUR);
    model.look(START + DAY);
    model.look(START + 3 * DAY);
    expect(model.runs.map(({ who, step, outcome }) => `${who} ${step} ${outcome}`)).toEqual([
      "ann new completed",
      "bob a goal",
      "cyd new completed",
      "dan new completed",
    ]);
    expect(model.counts).toMatchObject({ "a in": 5, "a out": 5, "b in": 1 });
  });

  it("lets in those of a segment each hour, and those of a date on their days", () => {
    const steps = [send("one")];
    const timesOf = (trigger: Definition["trigger"], metadata: object) => {
      const who = [person("ann", { tags: ["a"], metadata: { ...metadata } }), person("bob")];
      const model = new AutomationModel({ trigger, reentry: "always", steps }, who);
      for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 20)
        model.look(START + minutes * 60_000);
      expect(model.runs.every((run) => run.who === "ann")).toBe(true);
      return model.mails.map(({ at }) => (at - START) / HOUR);
    };
    const hourly = Array.from({ length: 72 }, (_, hour) => hour);
    expect(timesOf({ type: "segment", segment_id: "tag:a" }, {})).toEqual(hourly);
    const date = { type: "date", field: "day" } as const;
    expect(timesOf(date, { day: "2026-11-02" })).toEqual([0]);
    expect(timesOf({ ...date, days: -2 }, { day: "2026-11-05" })).toEqual([14 + 2 / 3]);
    expect(timesOf({ ...date, yearly: true }, { day: "1990-11-04" })).toEqual([38 + 2 / 3]);
    expect(timesOf(date, { day: "1990-11-04" })).toEqual([]);
  });
});
