/* The rehearsal of automations (API reference §12.18): what one would do if it started now. */
import { describe, expect, it } from "vitest";
import { insertRow } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { DAY, HOUR } from "../../support/times.ts";

const NOW = Date.UTC(2026, 10, 2, 9, 30); // a Monday

interface Rehearsal {
  people: number;
  looked_at: number;
  steps: { id: string; people: number; mails: number }[];
  leaves: Record<string, number>;
  mails: number;
  mails_by_day: { day: number; mails: number }[];
  most_mails: number;
  cost_usd: number;
  problems: { code: string; path: string; message: string }[];
  person: null | {
    enters: boolean;
    steps: Record<string, unknown>[];
    leaves: string;
    at: string;
  };
}

interface Given {
  status?: string;
  name?: string;
  tags?: string[];
  metadata?: object;
  createdAt?: number;
}

async function world() {
  const service = createService({}, { now: () => NOW });
  const owner = await service.newOwner();
  const project = await owner.newProject();
  const { DB } = service.env;
  return {
    service,
    owner,
    project,
    /** Writes straight into the tables: other tests cover how people join. */
    add: async (given: Given[]) => {
      const people = given.map((person) => {
        const id = crypto.randomUUID();
        return { ...person, id, email: `${id}@people.test` };
      });
      await DB.batch([
        DB.prepare(
          `insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at, tags)
           select value ->> 'id', ?2, value ->> 'email', coalesce(value ->> 'name', ''), coalesce(value ->> 'status', 'active'),
             coalesce(value -> 'metadata', '{}'), '', 1, coalesce(value ->> 'createdAt', 1), 1, coalesce(value -> 'tags', '[]')
           from json_each(?1)`,
        ).bind(JSON.stringify(people), project.id),
        DB.prepare(
          `insert into subscriber_tags (project_id, tag, subscriber_id)
           select ?2, tag.value, person.value ->> 'id' from json_each(?1) person, json_each(person.value -> 'tags') tag`,
        ).bind(JSON.stringify(people), project.id),
      ]);
      return people.map(({ id }) => id);
    },
    event: (ids: string[], name: string, at: number, data: object = {}) =>
      DB.prepare(
        `insert into events (project_id, subscriber_id, name, data, occurred_at, received_at)
         select ?2, value, ?3, ?4, ?5, ?5 from json_each(?1)`,
      )
        .bind(JSON.stringify(ids), project.id, name, JSON.stringify(data), at)
        .run(),
    rehearse: async (definition: object, subscriberId?: string) => {
      const path = `/projects/${project.id}/automations`;
      const made = await owner.post<{ id: string }>(path, { name: "Try", ...definition });
      service.d1.reset();
      const body = subscriberId === undefined ? {} : { subscriber_id: subscriberId };
      return owner.post<Rehearsal>(`${path}/${made.body.id}/rehearse`, body);
    },
  };
}

const mail = (id: string, subject = id) => ({
  id,
  type: "send",
  subject,
  html_body: '<p>{{name}}</p><a href="{{unsubscribe_link}}">Unsubscribe</a>',
});

const CART = {
  trigger: { type: "event", event: "cart", where: "not tag:staff" },
  goal: { where: "tag:bought" },
  reentry: "never",
  steps: [
    { id: "wait", type: "wait", for: "4 hours" },
    mail("reminder", "{{name}}, your {{event.item}}"),
    {
      id: "kind",
      type: "branch",
      ways: [{ where: "event.item:lamp and metadata.plan:pro", steps: [mail("voucher")] }],
      else: [{ id: "out", type: "end" }],
    },
    { id: "morning", type: "wait", until: { time: "08:00", zone: "recipient" } },
    mail("last"),
  ],
};

describe("a rehearsal", () => {
  it("leads those with events of the last 30 days through the steps", async () => {
    const { add, event, rehearse } = await world();
    const [ann = "", bob = "", cyd = "", dan = "", eve = "", fay = ""] = await add([
      { name: "Ann", metadata: { plan: "pro" } },
      { name: "Bob" },
      { name: "Cyd", tags: ["staff"] },
      { name: "Dan", tags: ["bought"] },
      { name: "Eve", status: "unsubscribed" },
      { name: "Fay", status: "pending" },
    ]);
    await add([{ name: "Somebody else" }]);
    await event([ann], "cart", NOW - 31 * DAY);
    await event([ann], "cart", NOW - 28 * DAY, { item: "lamp" });
    await event([ann, bob, cyd, dan, eve, fay], "cart", NOW - 10 * DAY, { item: "lamp" });
    await event([bob], "other", NOW - DAY);
    const { body } = await rehearse(CART);
    expect(body).toMatchObject({
      people: 5,
      looked_at: 6,
      leaves: { goal: 1, unsubscribed: 1, suppressed: 0, pending: 1, completed: 2 },
      mails: 4,
      mails_by_day: [
        { day: 2, mails: 3 },
        { day: 20, mails: 1 },
      ],
      most_mails: 3,
      cost_usd: 0.01,
      person: null,
    });
    const passed = body.steps.map(({ id, people, mails }) => `${id} ${people} ${mails}`);
    expect(passed.join(", ")).toBe(
      "wait 3 0, reminder 3 2, kind 2 0, voucher 1 1, out 1 0, morning 1 0, last 1 1",
    );
    expect(body.problems.map(({ code }) => code)).toEqual(Array(3).fill("mail_without_topic"));
  });

  it("walks one person through, with the reasons and the subjects", async () => {
    const { add, event, rehearse } = await world();
    const zoned = { plan: "pro", timezone: "Asia/Tokyo" };
    const [ann = "", cyd = ""] = await add([{ name: "Ann", metadata: zoned }, { tags: ["staff"] }]);
    await event([ann], "cart", NOW - DAY, { item: "lamp" });
    const { body } = await rehearse(CART, ann);
    const at = (ms: number) => new Date(ms).toISOString();
    const step = { way: null, where: null, mailed: null, subject: null };
    const sent = { ...step, at: at(NOW + 4 * HOUR), mailed: true };
    const morning = Date.UTC(2026, 10, 2, 23, 0);
    expect(body.person).toEqual({
      enters: true,
      steps: [
        { ...step, id: "wait", at: at(NOW) },
        { ...sent, id: "reminder", subject: "Ann, your lamp" },
        {
          ...step,
          id: "kind",
          at: sent.at,
          way: 0,
          where: "event.item:lamp and metadata.plan:pro",
        },
        { ...sent, id: "voucher", subject: "voucher" },
        { ...step, id: "morning", at: sent.at },
        { ...sent, id: "last", at: at(morning), subject: "last" },
      ],
      leaves: "completed",
      at: at(morning),
    });
    expect(body).toMatchObject({ people: 1, looked_at: 1, mails: 3 });
    const other = await rehearse(CART, cyd);
    expect(other.body).toMatchObject({ people: 0, person: { enters: false } });
  });

  it("names variables that readers lack, and steps that nobody reaches", async () => {
    const { add, rehearse } = await world();
    await add([{ name: "Ann" }, { name: "" }, { name: "Bob" }]);
    const { body } = await rehearse({
      trigger: { type: "manual" },
      reentry: "never",
      steps: [mail("hello"), { id: "out", type: "end" }, mail("never")],
    });
    expect(body.problems).toContainEqual(
      expect.objectContaining({
        code: "variable_missing",
        path: "steps.0",
        message: expect.stringContaining("{{name}} is empty for 1 of 3"),
      }),
    );
    expect(body.problems.map(({ code }) => code)).toContain("step_unreachable");
  });

  it("counts the audience of every trigger", async () => {
    const { add, rehearse } = await world();
    const today = { birthday: "1990-11-07" };
    await add([
      { tags: ["vip"], createdAt: NOW - DAY, metadata: { renewal: "2026-12-24" } },
      { createdAt: NOW - 40 * DAY, metadata: today },
      { createdAt: NOW - 40 * DAY, metadata: { renewal: "2026-11-09", ...today } },
    ]);
    const peopleOf = async (trigger: object) => {
      const { body } = await rehearse({ trigger, steps: [mail("only")] });
      const days = body.mails_by_day.map(({ day, mails }) => `${day}:${mails}`);
      return `${body.people} ${days.join(" ")}`;
    };
    expect(await peopleOf({ type: "joined" })).toBe("1 29:1");
    expect(await peopleOf({ type: "tag_added", tag: "vip" })).toBe("1 0:1");
    expect(await peopleOf({ type: "tag_removed", tag: "vip" })).toBe("1 0:1");
    expect(await peopleOf({ type: "date", field: "birthday", yearly: true })).toBe("2 4:2");
    expect(await peopleOf({ type: "date", field: "renewal", days: -3 })).toBe("1 3:1");
    expect(await peopleOf({ type: "manual", where: "not tag:vip" })).toBe("2 0:2");
  });

  it("counts confirmations of the last 30 days, and who has a topic or is in a segment", async () => {
    const { owner, project, add, rehearse, service } = await world();
    const [ann = "", bob = "", cyd = "", dan = "", eve = ""] = await add([
      { tags: ["vip"] },
      { tags: ["vip"], status: "pending" },
      { tags: ["vip"], status: "unsubscribed", metadata: { renewal: "2026-11-03" } },
      { metadata: { renewal: "2026-11-03" } },
      {},
    ]);
    const path = `/projects/${project.id}`;
    const make = async (list: string, body: object) =>
      String((await owner.post(`${path}/${list}`, body)).body["id"]);
    const topic = await make("topics", { name: "News" });
    const other = await make("topics", { name: "Tips" });
    for (const [id, of, state] of [
      [ann, topic, "subscribed"],
      [bob, topic, "subscribed"],
      [dan, topic, "unsubscribed"],
      [eve, other, "subscribed"],
    ] as const)
      await owner.put(`${path}/subscribers/${id}/topics`, { [of]: state });
    const confirm = (id: string, at: number, action = "confirmed") =>
      insertRow("consent_events", {
        id: crypto.randomUUID(),
        project_id: project.id,
        subscriber_id: id,
        action,
        at,
        by: "link",
        ip_address: "",
        user_agent: "",
        form_text: "",
      });
    await confirm(ann, NOW - 20 * DAY);
    await confirm(ann, NOW - 10 * DAY); // counts once, on the later day
    await confirm(dan, NOW - 29 * DAY);
    await confirm(cyd, NOW - DAY);
    await confirm(eve, NOW - 31 * DAY);
    await confirm(bob, NOW - DAY, "subscribed");
    const told = async (trigger: object) => {
      const {
        people,
        leaves,
        mails_by_day: days,
      } = (await rehearse({ trigger, steps: [mail("only")] })).body;
      const mails = days.map(({ day, mails: n }) => `${day}:${n}`).join(" ");
      return [people, leaves["pending"], leaves["unsubscribed"], mails];
    };
    expect(await told({ type: "confirmed" })).toEqual([3, 0, 1, "1:1 20:1"]);
    expect(await told({ type: "topic", topic_id: topic })).toEqual([2, 1, 0, "0:1"]);
    const segment = await make("segments", { name: "VIPs", where: "tag:vip" });
    expect(await told({ type: "segment", segment_id: segment })).toEqual([2, 1, 0, "0:1"]);
    expect(await told({ type: "manual", where: "tag:vip" })).toEqual([2, 1, 0, "0:1"]);
    expect(await told({ type: "date", field: "renewal" })).toEqual([1, 0, 0, "0:1"]);
    const lost = { type: "segment", segment_id: crypto.randomUUID() };
    expect(await told(lost)).toEqual([0, 0, 0, ""]);
    expect(service.d1.rowsWritten).toBe(0);
  });

  it("takes a sample of more than 50,000, in nine round trips", async () => {
    const { project, rehearse, service } = await world();
    await service.env.DB.prepare(
      `insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at, tags)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000)
       select lower('01a00000-0000-7000-8000-' || hex(randomblob(6))), ?1, i || '@' || ?1 || '.test', 'n', 'active', '{}', '',
         1, 1, 1, iif(i % 4 = 0, '["vip"]', '[]') from n`,
    )
      .bind(project.id)
      .run();
    const { body } = await rehearse({
      trigger: { type: "manual" },
      steps: [{ id: "kind", type: "branch", ways: [{ where: "tag:vip", steps: [mail("vip")] }] }],
    });
    expect(body).toMatchObject({ people: 60_000, looked_at: 50_000, most_mails: 1 });
    const vips = body.steps.find(({ id }) => id === "vip")?.people ?? 0;
    expect(Math.abs(vips - 15_000)).toBeLessThan(600); // six times the expected deviation
    expect(body.cost_usd).toBe(Math.ceil(vips * 5.56e-4) / 100);
    // Access and the automation, what it names, its people, their 100 pages, and the sample of the
    // mail. Only the limit of the route writes, and not to D1.
    expect(service.d1.roundTrips).toBe(9);
    expect(service.d1.rowsWritten).toBe(0);
  });

  it("lets nobody take a way whose condition is broken", async () => {
    const { add, rehearse } = await world();
    await add([{ tags: ["vip"] }]);
    const ways = [{ where: "tag:(", steps: [mail("vip")] }];
    const { status, body } = await rehearse({
      trigger: { type: "manual" },
      steps: [{ id: "kind", type: "branch", ways }, mail("all")],
    });
    expect(status).toBe(200);
    expect(body.steps.map(({ people }) => people)).toEqual([1, 0, 1]);
    expect(body.problems.map(({ code }) => code)).toContain("condition_broken");
  });

  it("finds neither an automation nor a person of another project", async () => {
    const { rehearse } = await world();
    const other = await world();
    const [stranger] = await other.add([{ name: "Ann" }]);
    const answer = await rehearse({ trigger: { type: "manual" }, steps: [] }, stranger);
    expect(answer.status).toBe(404);
  });
});
