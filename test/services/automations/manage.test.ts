/* Automations: definitions, versions, and control (API reference §12.18). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { API_ROUTES } from "../../../src/http/routes.ts";
import type { Step } from "../../../src/lib/automation-definition.ts";
import { automationWorlds, HTML, mail, type Automation } from "../../support/automation-worlds.ts";
import { HOOK_URL, newWebhook } from "../../support/events.ts";
import { refusal } from "../../support/refusals.ts";
import { allRows } from "../../support/rows.ts";

const { service, owner, newWorld } = await automationWorlds();

const TO_CONFIRM = `${HTML}{{confirm_url}}`;

const inside = (levels: number): Step =>
  levels === 0
    ? { id: "deepest", type: "end" }
    : {
        id: `b${levels}`,
        type: "branch",
        ways: [{ where: "tag:a", steps: [] }],
        else: [inside(levels - 1)],
      };

describe("a definition", () => {
  it("is stored and answered as it is given", async () => {
    const { create } = await newWorld();
    const definition = {
      trigger: { type: "event", event: "cart.left", where: "tag:vip" },
      steps: [
        mail("hi", { to: "pending" }),
        { id: "w1", type: "wait", for: "3 days" },
        { id: "w2", type: "wait", until: { weekday: "monday", time: "09:30", zone: "recipient" } },
        { id: "w3", type: "wait", event: { name: "bought", within: "2 weeks" } },
        {
          id: "b",
          type: "branch",
          ways: [{ where: "event:bought and event.total>100", steps: [{ id: "e", type: "end" }] }],
          else: [{ id: "s", type: "set", add_tags: ["cold"], metadata: { cart: null } }],
        },
        { id: "hook", type: "webhook", url: "https://shop.example/hook" },
        { id: "tell", type: "notify", emails: ["ann@example.com"] },
      ],
      goal: { event: "bought" },
      reentry: { after_days: 30 },
    };
    const { status, body } = await create({ name: "Cart", ...definition });
    expect(status).toBe(201);
    expect(body).toMatchObject(definition);
    expect((await create({ name: "Cart", ...definition, goal: {} })).body).toMatchObject({
      goal: null,
    });
  });

  it.each<[string, unknown, unknown, string]>([
    ["a misspelled field", { type: "joined", were: "tag:a" }, [], "trigger"],
    ["a trigger of no known type", { type: "moon" }, [], "trigger.type"],
    ["an event without a name", { type: "event" }, [], "trigger.event"],
    ["a field of another step", { type: "joined" }, [{ ...mail("a"), for: "3 days" }], "steps.0"],
    [
      "a way without a condition",
      { type: "joined" },
      [{ id: "b", type: "branch", ways: [{ steps: [] }] }],
      "steps.0.ways.0.where",
    ],
    [
      "a branch without ways",
      { type: "joined" },
      [{ id: "b", type: "branch", ways: [] }],
      "steps.0.ways",
    ],
    [
      "two kinds of wait",
      { type: "joined" },
      [{ id: "w", type: "wait", for: "1 day", event: { name: "a", within: "1 day" } }],
      "steps.0",
    ],
    ["no kind of wait", { type: "joined" }, [{ id: "w", type: "wait" }], "steps.0"],
    [
      "a wait of zero",
      { type: "joined" },
      [{ id: "w", type: "wait", for: "0 days" }],
      "steps.0.for",
    ],
    [
      "an hour that no clock shows",
      { type: "joined" },
      [{ id: "w", type: "wait", until: { time: "24:00" } }],
      "steps.0.until.time",
    ],
    [
      "a zone that does not exist",
      { type: "joined" },
      [{ id: "w", type: "wait", until: { time: "09:00", zone: "Mars" } }],
      "steps.0.until.zone",
    ],
    [
      "a template with its own content",
      { type: "joined" },
      [{ ...mail("a"), template_id: crypto.randomUUID() }],
      "steps.0.html_body",
    ],
    ["an ID with capitals", { type: "joined" }, [mail("A")], "steps.0.id"],
    ["an ID of Object's prototype", { type: "joined" }, [mail("constructor")], "steps.0.id"],
    ["the ID __proto__", { type: "joined" }, [mail("__proto__")], "steps.0.id"],
    [
      "two steps with one ID",
      { type: "joined" },
      [mail("a"), { id: "b", type: "branch", ways: [{ where: "tag:a", steps: [mail("a")] }] }],
      "steps.1.ways.0.steps.0.id",
    ],
    [
      "101 steps",
      { type: "joined" },
      Array.from({ length: 101 }, (_, n) => mail(`s${n}`)),
      "steps",
    ],
    [
      "six branches in each other",
      { type: "joined" },
      [inside(6)],
      "steps.0.else.0.else.0.else.0.else.0.else.0.else.0",
    ],
    [
      "a line break in a subject",
      { type: "joined" },
      [mail("a", { subject: "Hi\r\nBcc: x" })],
      "steps.0.subject",
    ],
  ])("with %s is refused, with its path", async (_what, trigger, steps, path) => {
    const { create } = await newWorld();
    const answer = await create({ name: "Series", trigger, steps });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });

  it("may have 100 steps and five branches in each other", async () => {
    const { create } = await newWorld();
    const many = Array.from({ length: 94 }, (_, n) => mail(`s${n}`));
    const answer = await create({
      name: "Long",
      trigger: { type: "joined" },
      steps: [...many, inside(5)],
    });
    expect(answer.status).toBe(201);
  });
});

describe("the problems of a definition", () => {
  it("keep a draft from starting, each with its path", async () => {
    const gone = crypto.randomUUID();
    const { act, patch } = await newWorld({ type: "segment", segment_id: gone }, [
      { id: "no-mail", type: "send" },
      { id: "lost", type: "send", template_id: gone },
      mail("broken", { html_body: "{{#if}}" }),
      mail("mute", { subject: " ", topic_id: gone }),
      {
        id: "b",
        type: "branch",
        ways: [
          { where: "tag:", steps: [] },
          { where: "topic:Nothing", steps: [] },
          { where: "topic:Nothing", steps: [] },
        ],
      },
      { id: "none", type: "set" },
      { id: "hook", type: "webhook", url: "ftp://x" },
      { id: "tell", type: "notify", emails: [] },
      { id: "stop", type: "end" },
      mail("never"),
      mail("remind", { to: "pending" }),
    ]);
    const { status, body } = await act("start");
    expect(status).toBe(422);
    expect(body.details.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "trigger.segment_id segment_missing",
      "steps.9 step_unreachable",
      "steps.4.ways.2 way_unreachable",
      "steps.4.ways.0.where condition_broken",
      "steps.4.ways.1.where topic_missing",
      "steps.4.ways.2.where topic_missing",
      "steps.0 mail_missing",
      "steps.1.template_id template_missing",
      "steps.2 mail_broken",
      "steps.3 topic_missing",
      "steps.3.subject subject_missing",
      "steps.5 nothing_to_set",
      "steps.6.url webhook_missing",
      "steps.7.emails addresses_missing",
      "steps.10 mail_without_confirmation_link",
    ]);
    await patch({ trigger: { type: "manual" }, steps: [] });
    expect((await act("start")).body.details).toMatchObject([{ code: "no_steps" }]);
  });

  it("are gone once the project has the webhook of a step", async () => {
    const { act, project, patch } = await newWorld({ type: "manual" }, [
      { id: "hook", type: "webhook", url: HOOK_URL },
    ]);
    const other = await owner.newProject();
    await newWebhook(other.id);
    const lacking = { status: 422, body: { details: [{ code: "webhook_missing" }] } };
    expect(await act("start")).toMatchObject(lacking);
    await newWebhook(project.id);
    expect((await act("start")).status).toBe(200);
    const steps = [{ id: "hook", type: "webhook", url: `${HOOK_URL}/other` }];
    expect(await patch({ steps })).toMatchObject(lacking);
    expect(await patch({ steps: [mail("hi")] })).toMatchObject({ body: { version: 2 } });
  });

  it("may be warnings, with which it starts", async () => {
    const { act, create, list } = await newWorld({ type: "date", field: "born" }, [
      mail("a", { html_body: "<p>Hi</p>" }),
    ]);
    expect(await act("start")).toMatchObject({ status: 200, body: { state: "active" } });
    const { id } = (
      await create({ name: "B", trigger: { type: "joined" }, steps: [{ id: "x", type: "send" }] })
    ).body;
    const { body } = await owner.post<{ details: unknown[] }>(`${list}/${id}/start`);
    expect(body.details).toMatchObject([{ code: "mail_missing" }]);
  });
});

describe("a start", () => {
  it("freezes the mails of the version, and later changes of the template do not reach them", async () => {
    const { path, patch, act, mails, look } = await newWorld();
    const template = await owner.post<{ id: string }>(`${path}/templates`, {
      name: "T",
      subject: "From the template",
      html_body: HTML,
    });
    const topic = await owner.post<{ id: string }>(`${path}/topics`, { name: "News" });
    const steps = [
      { id: "one", type: "send", template_id: template.body.id, topic_id: topic.body.id },
      mail("two", { to: "pending", html_body: TO_CONFIRM }),
    ];
    expect(await patch({ steps })).toMatchObject({ status: 200, body: { version: 1 } });
    expect(await mails()).toEqual([]);
    expect(await act("start")).toMatchObject({
      status: 200,
      body: { state: "active", version: 1 },
    });
    await owner.put(`${path}/templates/${template.body.id}`, { html_body: "changed" });
    const common = { version: 1, state: "sending", kind: "automation", html_body: HTML };
    expect(await mails()).toEqual([
      {
        ...common,
        step_id: "one",
        subject: "From the template",
        status: "active",
        topic_id: topic.body.id,
      },
      {
        ...common,
        step_id: "two",
        subject: "Hi",
        html_body: TO_CONFIRM,
        status: "pending",
        topic_id: null,
      },
    ]);
    expect(await act("start")).toEqual(refusal(409, "the automation is active"));
    expect(await look()).toMatchObject({ state: "active" });
    expect(await owner.delete(`${path}/topics/${topic.body.id}`)).toEqual(refusal(409));
  });

  it("needs a mail server", async () => {
    const { id } = await owner.newProject();
    const list = `/projects/${id}/automations`;
    const body = { name: "A", trigger: { type: "joined" }, steps: [mail("hi")] };
    const made = await owner.post<{ id: string }>(list, body);
    expect(await owner.post(`${list}/${made.body.id}/start`)).toEqual(refusal(400));
  });
});

describe("an edit", () => {
  it("of a running automation is a new version, and people inside stay or move", async () => {
    const { patch, act, mails, id } = await newWorld();
    await act("start");
    expect(await patch({ name: "Renamed" })).toMatchObject({
      body: { name: "Renamed", version: 1 },
    });
    expect(await patch({ steps: [mail("hi"), mail("ho")] })).toMatchObject({
      body: { version: 2 },
    });
    const versions = () =>
      allRows("select version, moves_on from automation_versions where automation_id = ?", id);
    expect(await versions()).toEqual([
      { version: 1, moves_on: 0 },
      { version: 2, moves_on: 0 },
    ]);
    expect((await mails()).map(({ version, step_id }) => [version, step_id].join(" "))).toEqual([
      "1 hi",
      "2 hi",
      "2 ho",
    ]);
    await act("pause");
    expect(await patch({ goal: { event: "bought" }, inside: "move" })).toMatchObject({
      body: { version: 3, state: "paused", goal: { event: "bought" } },
    });
    expect(await versions()).toEqual([
      { version: 1, moves_on: 1 },
      { version: 2, moves_on: 1 },
      { version: 3, moves_on: 0 },
    ]);
    expect(new Set((await mails()).map(({ state }) => state))).toEqual(new Set(["paused"]));
    await act("start");
    expect(new Set((await mails()).map(({ state }) => state))).toEqual(new Set(["sending"]));
  });

  it("with problems is refused while it runs, and changes nothing", async () => {
    const { patch, act, look, mails } = await newWorld();
    await act("start");
    const answer = await patch({ steps: [{ id: "x", type: "send" }] });
    expect(answer).toMatchObject({ status: 422, body: { details: [{ code: "mail_missing" }] } });
    expect(await look()).toMatchObject({ version: 1, steps: [mail("hi")] });
    expect(await mails()).toHaveLength(1);
  });

  it("of somebody else is not overwritten", async () => {
    const { patch, made, look } = await newWorld();
    const first = { "If-Match": made.headers.get("ETag") ?? "" };
    expect((await patch({ name: "One" }, first)).status).toBe(200);
    expect(await patch({ name: "Two" }, first)).toEqual(refusal(412));
    expect((await look()).name).toBe("One");
  });

  it("by two people at once succeeds for one of them", async () => {
    const { patch, act, look, mails, made } = await newWorld();
    await act("start");
    const tag = { "If-Match": made.headers.get("ETag") ?? "" };
    const answers = await Promise.all(
      ["a", "b", "c"].map((id) => patch({ steps: [mail(id)] }, tag)),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(
      "200 412 412".split(" "),
    );
    expect(await look()).toMatchObject({ version: 2 });
    expect(await mails()).toHaveLength(2);
  });

  it("without any field is refused", async () => {
    expect(await (await newWorld()).patch({})).toEqual(refusal(400));
  });
});

describe("a trigger", () => {
  it.each([
    ["segment", "segments", { name: "Quiet", where: "not opened:90d" }],
    ["topic", "topics", { name: "News" }],
  ])("keeps its %s from being deleted while it runs", async (type, list, body) => {
    const { path, patch, act } = await newWorld();
    const { id } = (await owner.post<{ id: string }>(`${path}/${list}`, body)).body;
    await patch({ trigger: { type, [`${type}_id`]: id } });
    await act("start");
    expect(await owner.delete(`${path}/${list}/${id}`)).toMatchObject({
      status: 409,
      body: { code: `${type}_in_use`, params: { names: '"Series"' } },
    });
    await act("stop");
    expect((await owner.delete(`${path}/${list}/${id}`)).status).toBe(204);
  });
});

describe("entering by a call", () => {
  it("lets each person of the project in once", async () => {
    const { act, add, runs } = await newWorld();
    const [ann, ben] = [await add(), await add({ status: "unsubscribed" })];
    const stranger = await (await newWorld()).add();
    const ids = { subscriber_ids: [ann, ben, stranger, ann, crypto.randomUUID()] };
    expect(await act("enter", ids)).toEqual(refusal(409, "the automation is a draft"));
    await act("start");
    expect((await act("enter", ids)).body).toEqual({ entered: 1, more: false });
    expect((await act("enter", ids)).body).toEqual({ entered: 0, more: false });
    expect(await runs()).toMatchObject([{ subscriber_id: ann, step: "", version: 1 }]);
  });

  it("by a condition takes those who meet it", async () => {
    const { act, add, runs } = await newWorld();
    await act("start");
    const vip = await add({ tags: ["vip"] });
    await add();
    expect((await act("enter", { where: "tag:vip" })).body).toEqual({ entered: 1, more: false });
    expect((await runs()).map(({ subscriber_id }) => subscriber_id)).toEqual([vip]);
    expect(await act("enter", { where: "tag:vip", subscriber_ids: [vip] })).toEqual(refusal(400));
    expect(await act("enter", {})).toEqual(refusal(400));
  });

  it("reaches only the automation that is named", async () => {
    const { act, add, create, list, runs } = await newWorld();
    const other = await create({ name: "Other", trigger: { type: "manual" }, steps: [mail("a")] });
    await owner.post(`${list}/${other.body.id}/start`);
    await act("start");
    const ann = await add();
    await owner.post(`${list}/${other.body.id}/enter`, { subscriber_ids: [ann] });
    expect(await runs()).toEqual([]);
  });

  it("needs the trigger manual", async () => {
    const { act, add } = await newWorld({ type: "joined" });
    await act("start");
    expect(await act("enter", { subscriber_ids: [await add()] })).toEqual(refusal(409));
  });
});

describe("control", () => {
  it("pauses: nobody enters, and nothing is sent", async () => {
    const { act, add, runs, mails } = await newWorld({ type: "joined" });
    await act("start");
    await add();
    expect(await act("pause")).toMatchObject({ status: 200, body: { state: "paused" } });
    await add();
    expect(await runs()).toHaveLength(1);
    expect(await mails()).toMatchObject([{ state: "paused" }]);
    expect(await act("pause")).toEqual(refusal(409, "the automation is paused"));
  });

  it("stops for good: waiting mails are dropped, and all runs end", async () => {
    const { act, add, runs, mails, patch, id } = await newWorld({ type: "joined" });
    expect(await act("stop")).toEqual(refusal(409, "the automation is a draft"));
    await act("start");
    const ann = await add();
    await add();
    const db = env.DB;
    await db
      .prepare("update automation_runs set moves = 1, step = 'hi' where subscriber_id = ?")
      .bind(ann)
      .run();
    const count = "insert into automation_counts values (?, 1, ?, 'in', 1)";
    for (const step of ["", "hi"]) await db.prepare(count).bind(id, step).run();
    await db
      .prepare(
        `insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred, page)
         select id, '', '', '', 'pending', 0, '', '[]', '[]', '[]', 'p' from broadcasts where automation_id = ?`,
      )
      .bind(id)
      .run();
    expect(await act("stop")).toMatchObject({
      body: { state: "stopped", people: { inside: 0, entered: 1, ended: 1 } },
    });
    expect(await runs()).toMatchObject([
      { outcome: "stopped", due_at: null },
      { outcome: "stopped", due_at: null },
    ]);
    expect(await mails()).toMatchObject([{ state: "cancelled" }]);
    expect(
      await allRows(
        "select page from broadcast_chunks where broadcast_id in (select id from broadcasts where automation_id = ?)",
        id,
      ),
    ).toEqual([]);
    for (const action of ["start", "pause", "stop"])
      expect(await act(action)).toEqual(refusal(409));
    expect(await patch({ name: "x" })).toEqual(refusal(409));
  });

  it("deletes drafts and stopped automations with their runs, and no others", async () => {
    const { act, add, one, id, list } = await newWorld({ type: "joined" });
    await act("start");
    await add();
    expect(await owner.delete(one)).toEqual(refusal(409, "the automation is active"));
    await act("stop");
    expect((await owner.delete(one)).status).toBe(204);
    expect((await owner.get(one)).status).toBe(404);
    for (const table of ["automation_runs", "automation_versions", "automation_counts"])
      expect(await allRows(`select 1 from ${table} where automation_id = ?`, id)).toEqual([]);
    expect((await owner.get<{ automations: unknown[] }>(list)).body.automations).toEqual([]);
  });

  it("lists the automations of the project by state, and only those", async () => {
    const { list, create, act, id } = await newWorld();
    const draft = await create({ name: "Draft", trigger: { type: "joined" } });
    await newWorld();
    await act("start");
    const ids = async (query: string) => {
      const { body } = await owner.get<{ automations: Automation[]; total?: number }>(list + query);
      return [body.total, ...body.automations.map((one) => one.id)];
    };
    expect(await ids("")).toEqual([2, draft.body.id, id]);
    expect(await ids("?state=active")).toEqual([1, id]);
    expect(await ids("?after=&limit=1")).toEqual([2, draft.body.id]);
  });

  it("drops no mail of an automation that somebody pauses during its stop", async () => {
    const { act, look, mails } = await newWorld();
    await act("start");
    service.d1.before = async (statements) => {
      if (!statements.some((text) => text.includes("state = 'cancelled'"))) return;
      service.d1.before = undefined;
      await act("pause");
    };
    expect(await act("stop")).toEqual(refusal(409, "the automation is paused"));
    expect(await look()).toMatchObject({ state: "paused" });
    expect(await mails()).toMatchObject([{ state: "paused" }]);
  });

  it("of another project's automation is not found", async () => {
    const { id, look, act } = await newWorld();
    const { project } = await newWorld();
    await act("start");
    const before = await look();
    const routes = API_ROUTES.filter(({ path }) => path.includes("/automations/:automationId"));
    expect(routes).toHaveLength(10);
    const bodies = { PATCH: { name: "x" }, POST: { where: "tag:a" } };
    for (const { method, path } of routes) {
      const at = path.replace(":id", project.id).replace(/:automationId[^/]*/, id);
      const body = method in bodies ? bodies[method as keyof typeof bodies] : undefined;
      expect([path, await owner.request(method, at, body)]).toEqual([path, refusal(404)]);
    }
    expect(await look()).toEqual(before);
  });

  it("is recorded in the audit trail", async () => {
    const { act, patch, add, one, id } = await newWorld();
    await patch({ name: "New" });
    await act("start");
    await act("enter", { subscriber_ids: [await add()] });
    await act("pause");
    await act("stop");
    await owner.delete(one);
    const told = await allRows<{ action: string; metadata: string }>(
      "select action, metadata from audit_entries where target_id = ? order by id desc",
      id,
    );
    expect(told.map(({ action }) => action.slice("automation.".length))).toEqual([
      "deleted",
      "stopped",
      "paused",
      "entered",
      "started",
      "changed",
      "created",
    ]);
    expect(told[3]?.metadata).toBe('{"name":"New","people":1}');
  });
});
