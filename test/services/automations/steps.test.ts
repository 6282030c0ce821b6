/* Each kind of step of an automation, as the sender takes it. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/lib/automation-definition.ts";
import { automationWorld, mail, startAutomation, startVersion } from "../../support/automating.ts";
import { HOOK_URL, newWebhook, type Payload } from "../../support/events.ts";
import { allRows } from "../../support/rows.ts";
import { DAY, MINUTE } from "../../support/times.ts";

const world = (steps: Step[], more: object = {}) => automationWorld({ steps, ...more });

/** Sets the clock of a world to a time. */
const stopAt = ({ clock }: { clock: { stoppedAt?: number; aheadMs: number } }, at: string) =>
  Object.assign(clock, { stoppedAt: Date.parse(at), aheadMs: 0 });

// The first account of the service chooses the project that sends its own mail.
describe("a notify step", () => {
  it("mails members of the team alone, once for a page", async () => {
    const own = await world([{ id: "call", type: "notify", emails: ["stranger@else.test"] }]);
    const { news, owner, id, definition, subscribe, happen, work } = own;
    await owner.put("/service/mail", { project_id: news.id });
    const emails = ["stranger@else.test", owner.email];
    const steps: Step[] = [{ id: "call", type: "notify", emails }];
    await startVersion(news.id, id, { ...definition, steps }, 2);
    await happen("signed_up", await subscribe(2));
    await work();
    const notices = await allRows(
      "select data ->> 'to' as email, data ->> 'text' as text from pending_mails where kind = 'notice' and data ->> 'to' in (?, ?)",
      ...emails,
    );
    expect(notices).toEqual([
      {
        email: owner.email,
        text: `2 people reached the step call of the automation "Series": 0.${news.from}, 1.${news.from}.`,
      },
    ]);
  });
});

describe("a webhook step", () => {
  it("reaches the active webhook of the project with its URL, and no other", async () => {
    const { news, id, subscribe, happen, work, pass, counts } = await world(
      [{ id: "hook", type: "webhook", url: HOOK_URL }],
      { reentry: "always" },
    );
    const hook = await newWebhook(news.id, ["email.sent"]);
    await newWebhook(news.id, ["automation.step"], false);
    await newWebhook(news.id, [], true, `${HOOK_URL}/other`);
    await newWebhook((await world([])).news.id);
    const people = (await subscribe(2)).toSorted();
    await happen("signed_up", people, { total: 5 });
    await work();
    const told = (await hook.payloads()).toSorted((a, b) =>
      subscriberOf(a).localeCompare(subscriberOf(b)),
    );
    expect(told).toMatchObject(
      people.map((person) => ({
        type: "automation.step",
        project_id: news.id,
        data: {
          automation_id: id,
          step_id: "hook",
          run_id: expect.any(String),
          subscriber: { id: person, status: "active" },
          event: { total: 5 },
        },
      })),
    );
    expect(new Set(told.map((one) => one.id)).size).toBe(2);
    await allRows("update webhooks set active = 0 where id = ?", hook.id);
    await pass(DAY);
    await happen("signed_up", people);
    await work();
    expect(await counts()).toMatchObject({ "hook out": 4, "hook completed": 4 });
    const all = "select count(*) as n from webhook_deliveries where event_type = 'automation.step'";
    expect(await allRows(`${all} and project_id = ?`, news.id)).toEqual([{ n: 2 }]);
  });
});

const subscriberOf = ({ data }: Payload) => (data as { subscriber: { id: string } }).subscriber.id;

describe("a wait", () => {
  it("ends early when its event comes, and else after its span", async () => {
    const { subscribe, happen, work, pass, received } = await world([
      { id: "paid", type: "wait", event: { name: "paid", within: "2 days" } },
      mail("next"),
    ]);
    const people = await subscribe(2);
    await happen("signed_up", people);
    await work();
    await happen("paid", people.slice(0, 1));
    await pass(MINUTE);
    expect(await received()).toEqual(["next n0"]);
    await pass(2 * DAY);
    expect(await received()).toEqual(["next n0", "next n1"]);
  });

  it("until a time ends at that time of the day, in the recipient's zone", async () => {
    const own = await world([
      {
        id: "monday",
        type: "wait",
        until: { weekday: "monday", time: "09:00", zone: "recipient" },
      },
      mail("next"),
    ]);
    const { subscribe, happen, work, pass, runs } = own;
    stopAt(own, "2027-03-25T12:00:00Z"); // a Thursday, before Europe's change of the clocks
    const [ann = "", ben = ""] = await subscribe(2);
    await allRows(
      `update subscribers set metadata = '{"timezone":"Europe/Berlin"}' where id = ?`,
      ben,
    );
    await happen("signed_up", [ann, ben]);
    await work();
    const due = (await runs()).map(({ due_at: at }) => new Date(at ?? 0).toISOString());
    expect(due).toEqual(["2027-03-29T09:00:00.000Z", "2027-03-29T07:00:00.000Z"]);
    await pass(0);
    expect(await own.received()).toEqual([]);
  });
});

describe("a branch", () => {
  it("lets each person take the first way whose condition holds, also in another branch", async () => {
    const inner: Step = {
      id: "inner",
      type: "branch",
      else: [],
      ways: [{ where: "name:n1", steps: [mail("one")] }],
    };
    const { subscribe, happen, work, received, counts } = await world([
      {
        id: "outer",
        type: "branch",
        else: [mail("rest")],
        ways: [
          { where: "name:n0", steps: [mail("zero")] },
          { where: "name:n0 or name:n1 or name:n2", steps: [inner] },
        ],
      },
      mail("all"),
    ]);
    await happen("signed_up", await subscribe(4));
    await work();
    expect(await received()).toEqual([
      "all n0",
      "all n1",
      "all n2",
      "all n3",
      "one n1",
      "rest n3",
      "zero n0",
    ]);
    expect(await counts()).toMatchObject({ "outer out": 4, "inner out": 2, "all completed": 4 });
  });

  it("judges what a step before it has set", async () => {
    const { subscribe, happen, work, received } = await world([
      { id: "mark", type: "set", add_tags: ["vip"] },
      {
        id: "vips",
        type: "branch",
        else: [mail("other")],
        ways: [{ where: "tag:vip", steps: [mail("vip")] }],
      },
    ]);
    await happen("signed_up", await subscribe(1));
    await work();
    expect(await received()).toEqual(["vip n0"]);
  });

  it("compares more than one statement can take", async () => {
    const never = Array.from({ length: 19 }, (_, n) => `name:x${n}`).join(" or ");
    const ways = [
      { where: never, steps: [mail("never")] },
      { where: `${never} or name:n1`, steps: [mail("one")] },
      { where: `${never} or name:n0 or name:n1`.replace("name:x0 or ", ""), steps: [mail("both")] },
    ];
    const { subscribe, happen, work, received } = await world([
      { id: "long", type: "branch", ways, else: [mail("other")] },
    ]);
    await happen("signed_up", await subscribe(3));
    await work();
    expect(await received()).toEqual(["both n0", "one n1", "other n2"]);
  });
});

describe("a set step", () => {
  it("ends the circle of automations that set each other off", async () => {
    const swap = (add: string, remove: string): Step[] => [
      { id: "swap", type: "set", add_tags: [add], remove_tags: [remove] },
    ];
    const reentry = "always";
    const { news, owner, subscribe, work } = await world(swap("b", "a"), {
      trigger: { type: "tag_added", tag: "a" },
      reentry,
    });
    const trigger = { type: "tag_added", tag: "b" } as const;
    await startAutomation(news.id, { trigger, steps: swap("a", "b"), reentry });
    const [ann = ""] = await subscribe(1);
    await owner.request("PATCH", `${news.path}/subscribers/${ann}`, { tags: ["a"] });
    await work();
    const runs = await allRows("select outcome from automation_runs where subscriber_id = ?", ann);
    expect(runs).toEqual([{ outcome: "completed" }, { outcome: "completed" }]);
  });

  it("keeps the metadata of whoever would have too much", async () => {
    const much = { source: "shop", much: "x".repeat(5_000) };
    const { subscribe, happen, work } = await world([
      { id: "much", type: "set", metadata: much },
      { id: "more", type: "set", metadata: { source: "more", more: "x".repeat(5_000) } },
      { id: "less", type: "set", metadata: { less: 1 } },
    ]);
    const [ann = ""] = await subscribe(1);
    await happen("signed_up", [ann]);
    await work();
    const stored = "select source, json(metadata) as metadata from subscribers where id = ?";
    const metadata = JSON.stringify({ ...much, less: 1 });
    expect(await allRows(stored, ann)).toEqual([{ source: "shop", metadata }]);
  });

  it("changes tags, metadata and topics, with proof, and tells the webhooks once", async () => {
    const own = await world([
      {
        id: "set",
        type: "set",
        add_tags: ["b", "c"],
        remove_tags: ["a"],
        metadata: { plan: "pro", source: "shop" },
      },
    ]);
    const { news, owner, id, definition, subscribe, happen, work } = own;
    const topic = await owner.post<{ id: string }>(`${news.path}/topics`, { name: "Shop" });
    const left = await owner.post<{ id: string }>(`${news.path}/topics`, { name: "Left" });
    const topics = { [topic.body.id]: true, [left.body.id]: true };
    const [set] = definition.steps;
    await startVersion(news.id, id, { ...definition, steps: [{ ...set, topics } as Step] }, 2);
    const hook = await newWebhook(news.id, ["subscriber.updated"]);
    const [ann = ""] = await subscribe(1);
    await owner.request("PATCH", `${news.path}/subscribers/${ann}`, { tags: ["a", "b"] });
    await allRows(
      "insert into topic_consents values (?, ?, 'unsubscribed', 1, 'page')",
      left.body.id,
      ann,
    );
    await happen("signed_up", [ann]);
    await work();
    const { body } = await owner.get(`${news.path}/subscribers/${ann}`);
    expect(body).toMatchObject({ tags: ["b", "c"], metadata: { plan: "pro", source: "shop" } });
    const consents = await allRows(
      "select topic_id, state, by from topic_consents where subscriber_id = ? order by by",
      ann,
    );
    expect(consents).toEqual([
      { topic_id: topic.body.id, state: "subscribed", by: "automation" },
      { topic_id: left.body.id, state: "unsubscribed", by: "page" }, // the person's own choice
    ]);
    const told = await allRows<{ payload: string }>(
      "select payload from webhook_deliveries where webhook_id = ? order by id",
      hook.id,
    );
    expect(told.map(({ payload }) => JSON.parse(payload).data.tags)).toEqual([
      ["a", "b"],
      ["b", "c"],
    ]);
    const tags = await allRows(
      "select tag from subscriber_tags where subscriber_id = ? order by tag",
      ann,
    );
    expect(tags).toEqual([{ tag: "b" }, { tag: "c" }]);
  });
});
