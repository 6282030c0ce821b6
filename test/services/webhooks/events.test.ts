import { serverError } from "../../support/refusals.ts";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, it, onTestFinished } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { pauseByItself, planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { appendLog, type LogEntry } from "../../../src/services/email-log/index.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { logEntry } from "../../support/log-entry.ts";
import { isRecord, scenario, type Scenario } from "../../support/broadcasting.ts";
import { newWebhook, WEBHOOK_QUEUE, woken } from "../../support/events.ts";
import { DOH_URL } from "../../support/resolver.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";
import { EVERY_MINUTE } from "../../support/times.ts";
import { newMails, SENT_AT, trackingEvent, URL_A, URL_B } from "../../support/tracking/mails.ts";

let aheadMs = 0;
/** A queue that only wakes: a sender that dies at its settle queues no outcome, either. */
const WAKE_QUEUE = {
  send: async () => {
    throw new Error("the sender died");
  },
  sendBatch: (messages: Iterable<MessageSendRequest>) => env.WAKE_QUEUE.sendBatch(messages),
} as unknown as Queue;
const service = createService(
  { WEBHOOK_QUEUE, WAKE_QUEUE, DOH_URL, DEPLOYMENT_MODE: "self_hosted" },
  { now: () => Date.now() + aheadMs },
);
const deps = await service.deps();
const owner = await service.newOwner();

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const address = (word = "to") => `${unique(word)}@any.test`;
const bad = (word = "x") => `rcpt.550.5.1.1.${unique(word)}@any.test`;
const costOf = ({ d1: { roundTrips, rowsWritten } }: Service) => ({ roundTrips, rowsWritten });

/** Project with SMTP settings and one webhook. */
async function newSender(events: string[] = []) {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  const hook = await newWebhook(project.id, events);
  const send = (to: string, more: object = {}, headers: Record<string, string> = {}) =>
    owner.post<{ id: string; error?: string }>(
      `${path}/send`,
      { to, subject: "Hello", html_body: "<p>Hi</p>", ...more },
      headers,
    );
  const template = async (subject: string) => {
    const fields = { name: "t", subject, html_body: "<p>x</p>" };
    return (await owner.post<{ id: string }>(`${path}/templates`, fields)).body.id;
  };
  const subscribe = async (more: object = {}) => {
    const fields = { email: `${unique("s")}@takes-mail.test`, name: "Sue", ...more };
    return (await owner.post<{ id: string }>(`${path}/subscribers`, fields)).body;
  };
  return { ...project, path, hook, send, template, subscribe };
}

function entryOf(projectId: string, change: Partial<LogEntry> = {}): LogEntry {
  return logEntry(projectId, { sentAt: SENT_AT, ...change });
}

describe("a send", () => {
  it("that is accepted emits email.sent once, with exactly the fields of the contract, and wakes the dispatcher", async () => {
    const { id: projectId, path, hook, send } = await newSender();
    woken.length = 0;
    const to = address();
    const { body } = await send(to);
    const [delivery, ...more] = await hook.deliveries();
    expect(more).toEqual([]);
    const page = await owner.get<{ logs: { sent_at: string }[] }>(`${path}/logs`);
    expect(JSON.parse(delivery?.payload ?? "")).toEqual({
      id: delivery?.event_id,
      type: "email.sent",
      created_at: page.body.logs[0]?.sent_at,
      project_id: projectId,
      data: {
        log_id: body.id,
        to,
        subject: "Hello",
        template_id: null,
        subscriber_id: null,
        broadcast_id: null,
      },
    });
    expect(delivery).toMatchObject({
      id: expect.stringMatching(UUID_V7),
      event_id: expect.stringMatching(UUID_V7),
      project_id: projectId,
      event_type: "email.sent",
      status: "pending",
      attempts: 0,
      due_at: expect.any(Number),
    });
    expect(woken).toEqual([hook.id]);
  });

  it.each([
    ["rcpt.451.4.7.1", "email.failed", "policy"],
    ["data.554.5.6.0", "email.failed", "content"],
    ["rcpt.550.5.1.1", "email.bounced", "user_unknown"],
  ])("answered %s emits %s with the reply and its reason", async (script, type, reason) => {
    const { hook, send } = await newSender();
    const to = `${script}.${unique("x")}@any.test`;
    const { body } = await send(to);
    expect(await hook.payloads()).toMatchObject([
      { type, data: { log_id: body.id, to, error: body.error, reason } },
    ]);
  });

  it("to a suppressed address emits email.suppressed, and a bounced or suppressed copy a separate event", async () => {
    const { hook, send } = await newSender();
    const [to, cc] = [address(), bad("cc")];
    const { body } = await send(to, { cc });
    const both = { log_id: body.id, subject: "Hello" };
    const error = expect.stringContaining("550");
    const sent = [
      { type: "email.bounced", data: { ...both, to: cc, error, reason: "user_unknown" } },
      { type: "email.sent", data: { ...both, to } },
    ];
    expect(await hook.payloads()).toMatchObject(sent);
    expect((await send(cc)).status).toBe(422);
    const nobody = { error: "the address is on the suppression list", reason: null };
    const suppressed = { type: "email.suppressed", data: { to: cc, ...nobody } };
    expect(await hook.payloads()).toMatchObject([...sent, suppressed]);
    const again = await send(to, { cc });
    const copy = { log_id: again.body.id, to: cc, ...nobody };
    expect((await hook.payloads()).slice(3)).toMatchObject([
      { type: "email.sent", data: { to } },
      { type: "email.suppressed", data: copy },
    ]);
  });

  it("includes template and subscriber in its event", async () => {
    const { path, hook, subscribe, template } = await newSender(["email.sent"]);
    const [subscriber, templateId] = [await subscribe(), await template("For {{name}}")];
    await owner.post(`${path}/send`, { subscriber_id: subscriber.id, template_id: templateId });
    const named = { template_id: templateId, subscriber_id: subscriber.id, broadcast_id: null };
    expect(await hook.payloads()).toMatchObject([{ data: { subject: "For Sue", ...named } }]);
  });

  it("reaches every webhook subscribed to its event, with one event id, and no other", async () => {
    const { id, hook, send } = await newSender();
    const some = await newWebhook(id, ["email.failed", "email.sent"]);
    const others = [
      await newWebhook(id, ["email.failed", "subscriber.created"]),
      await newWebhook(id, [], false),
      await newWebhook((await owner.newProject()).id),
    ];
    woken.length = 0;
    await send(address());
    const [[first], [second]] = [await hook.deliveries(), await some.deliveries()];
    expect(first?.event_type).toBe("email.sent");
    expect(second?.payload).toBe(first?.payload);
    expect(second?.id).not.toBe(first?.id);
    expect(woken.toSorted()).toEqual([hook.id, some.id].toSorted());
    for (const other of others) expect(await other.deliveries()).toEqual([]);
  });

  it("whose sender dies emits email.failed when it is recorded as unknown", async () => {
    const { hook, send } = await newSender();
    service.d1.before = (statements) => {
      if (isRecord(statements)) throw new Error("the worker died here");
    };
    expect((await send(address(), {}, { "Idempotency-Key": unique("key") })).status).toBe(500);
    service.d1.before = undefined;
    expect(await hook.deliveries()).toEqual([]);
    aheadMs += 3 * 60_000;
    for (let minute = 0; minute < 2; minute++) await runScheduled(deps, EVERY_MINUTE);
    expect(await hook.payloads()).toMatchObject([
      { type: "email.failed", data: { error: "outcome unknown" } },
    ]);
  });

  it("of a batch emits one event for each attempted mail", async () => {
    const { path, hook, template } = await newSender();
    const refused = `rcpt.451.4.7.1.${unique("x")}@any.test`;
    const [one, two, three] = [address(), bad(), address()];
    await owner.post(`${path}/send/batch`, {
      template_id: await template("No. {{n}}"),
      recipients: [one, two, three, refused].map((to, n) => ({ to, data: { n } })),
    });
    const told = (await hook.payloads()).map(({ type, data }) => `${type} ${String(data["to"])}`);
    expect(told.toSorted()).toEqual(
      [
        `email.sent ${one}`,
        `email.bounced ${two}`,
        `email.sent ${three}`,
        `email.failed ${refused}`,
      ].toSorted(),
    );
  });
});

describe("the write of finished mails", () => {
  it("emits nothing if it loses its lease or its project, or is repeated", async () => {
    const { id, hook } = await newSender();
    const entries = [entryOf(id)];
    await runBatch(deps.db, appendLog(deps, id, entries, sql`false`));
    const gone = unique("project");
    const orphan = await newWebhook(gone);
    await runBatch(deps.db, appendLog(deps, gone, [entryOf(gone)]));
    expect(await hook.deliveries()).toEqual([]);
    expect(await orphan.deliveries()).toEqual([]);
    for (let time = 0; time < 2; time++) await runBatch(deps.db, appendLog(deps, id, entries));
    expect(await hook.types()).toEqual(["email.sent"]);
  });

  it("emits 42 events in one statement: three reads without a webhook, two rows a mail with one", async () => {
    const { id } = await owner.newProject();
    const cost = async (from: number) => {
      const entries = Array.from({ length: 42 }, () => entryOf(id));
      const statements = appendLog(deps, id, entries).slice(from);
      service.d1.reset();
      await runBatch(deps.db, statements);
      const { rowsRead, rowsWritten } = service.d1;
      return { statements: statements.length, rowsRead, rowsWritten };
    };
    await cost(0); // totals of the hour exist
    const silent = await cost(1);
    expect(silent).toMatchObject({ statements: 2, rowsWritten: 42 * 3 + 2 });
    const { rowsRead } = silent;
    expect(await cost(0)).toEqual({ ...silent, statements: 3, rowsRead: rowsRead + 3 });
    await newWebhook(id);
    const { rowsRead: readNow, ...rest } = await cost(0);
    expect(rest).toEqual({ statements: 3, rowsWritten: silent.rowsWritten + 42 * 2 });
    expect(readNow - rowsRead).toBeLessThanOrEqual(42 * 6 + 5);
  });

  it("preserves unusual texts", async () => {
    const { id, hook } = await newSender();
    const subject = `"quotes" \\ 'single' \u0001\u001f\u007f\u2028 é 漢字 👩‍👩‍👧 </script> %s ?1`;
    const error = `550 "no"\tsuch\r\nuser`;
    const entry = entryOf(id, { subject, status: "failed", error });
    await runBatch(deps.db, appendLog(deps, id, [entry]));
    expect(await hook.payloads()).toMatchObject([{ data: { subject, error } }]);
  });

  it("of a broadcast of 500 costs two more rows per mail if a webhook subscribes to all events", async () => {
    const { service: world, deps: own, id, news, run } = await scenario(500);
    own.config.workspaceStorageBytes = null; // as in a self-hosted deployment
    const hook = await newWebhook(news.id);
    await planBroadcast(own, id);
    world.d1.reset();
    await run();
    const { roundTrips, rowsWritten } = costOf(world);
    // Mostly 10: a slow machine records more often, at most once a second.
    expect(roundTrips).toBeLessThanOrEqual(25);
    expect(rowsWritten).toBeLessThanOrEqual(2 * 500 + 2 * 500 + 100);
    const events = (await hook.payloads()).filter(({ type }) => type === "email.sent");
    expect(events).toHaveLength(500);
    expect(new Set(events.map(({ data }) => data["to"])).size).toBe(500);
    const { templateId: template_id } = news;
    const data = { broadcast_id: id, template_id, subscriber_id: expect.any(String) };
    expect(events[0]).toMatchObject({ type: "email.sent", data });
  });
});

describe("tracking", () => {
  const MAIL = {
    to: "to@any.test",
    subject: "Hello",
    template_id: null,
    subscriber_id: null,
    broadcast_id: null,
  };

  it("emits email.opened at the first open only, with its time", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    const hook = await newWebhook(projectId);
    const open = trackingEvent("open", logId, SENT_AT + 60_000);
    await recordEvents(deps, [trackingEvent("open", logId, SENT_AT + 61_000), open]);
    await recordEvents(deps, [open]);
    await recordEvents(deps, [trackingEvent("open", logId, SENT_AT + 30_000)]);
    expect(await hook.payloads()).toEqual([
      {
        id: expect.stringMatching(UUID_V7),
        type: "email.opened",
        created_at: new Date(SENT_AT + 60_000).toISOString(),
        project_id: projectId,
        data: { log_id: logId, ...MAIL },
      },
    ]);
  });

  it("emits email.clicked once for every click, with link, user agent and address", async () => {
    aheadMs = SENT_AT + 60_000 - Date.now(); // the address of a much older click is not told
    onTestFinished(() => {
      aheadMs = 0;
    });
    const { projectId, logId } = await newMails(deps, 1);
    const hook = await newWebhook(projectId, ["email.clicked"]);
    const [url, userAgent] = [`${URL_A}&q="é%00👍`, 'Odd "agent" \t \\ ü'];
    const click = { ...trackingEvent("click", logId, SENT_AT + 60_000, url), userAgent };
    await recordEvents(deps, [click, click]);
    await recordEvents(deps, [click, trackingEvent("click", logId, SENT_AT + 90_000, URL_B)]);
    const [first, second, ...more] = await hook.payloads();
    expect(more).toEqual([]);
    expect(first).toEqual({
      id: expect.stringMatching(UUID_V7),
      type: "email.clicked",
      created_at: new Date(SENT_AT + 60_000).toISOString(),
      project_id: projectId,
      data: { log_id: logId, ...MAIL, url, user_agent: userAgent, ip: "192.0.2.7" },
    });
    expect(second?.data["url"]).toBe(URL_B);
  });

  it("tells the tags of the email in all its events, and that it was a test", async () => {
    const { hook, send } = await newSender(["email.sent", "email.opened", "email.clicked"]);
    const tags = { "order.id": "1042", 'a "quoted" name': "" };
    const mails = [
      { to: address(), tags, test: undefined },
      { to: "delivered@simulator.postrider.test", tags, test: true },
      { to: address(), tags: undefined, test: undefined },
    ];
    for (const { test: _test, ...mail } of mails) {
      const { body } = await send(mail.to, mail);
      await recordEvents(deps, [
        trackingEvent("open", body.id, Date.now()),
        trackingEvent("click", body.id, Date.now(), URL_A),
      ]);
    }
    const told = (await hook.payloads()).map(({ data }) => [
      data["to"],
      data["tags"],
      data["test"],
    ]);
    const expected = mails.map(({ to, ...mail }) => [to, mail.tags, mail.test]);
    expect(told).toEqual(expected.flatMap((one) => [one, one, one]));
  });

  it("separates the projects of a batch and ignores mails that are not in the log", async () => {
    const [one, two] = [await newMails(deps, 1), await newMails(deps, 1)];
    const silent = await newMails(deps, 1);
    const hooks = [await newWebhook(one.projectId), await newWebhook(two.projectId)];
    const ids = [one.logId, two.logId, silent.logId, crypto.randomUUID()];
    await recordEvents(
      deps,
      ids.flatMap((id) => [
        trackingEvent("open", id, SENT_AT + 60_000),
        trackingEvent("click", id, SENT_AT + 70_000),
      ]),
    );
    for (const [index, hook] of hooks.entries()) {
      expect(await hook.types()).toEqual(["email.opened", "email.clicked"]);
      expect((await hook.payloads()).every(({ data }) => data["log_id"] === ids[index])).toBe(true);
    }
  });

  it("emits once if the response of a write is lost and the write is repeated", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    const hook = await newWebhook(projectId);
    const events = [
      trackingEvent("open", logId, SENT_AT + 60_000),
      trackingEvent("click", logId, SENT_AT + 61_000),
    ];
    service.d1.after = () => {
      throw new Error("the answer was lost");
    };
    await expect(recordEvents(deps, events)).rejects.toThrow("lost");
    service.d1.after = undefined;
    await recordEvents(deps, events);
    expect(await hook.types()).toEqual(["email.opened", "email.clicked"]);
  });
});

describe("subscribers", () => {
  /** The subscriber as lists present it; an event does not tell who is suppressed. */
  const record = async (path: string, id: string) => {
    const { body } = await owner.get<{ subscribers: { id: string; suppressed: unknown }[] }>(
      `${path}/subscribers`,
    );
    const { suppressed: _suppressed, ...rest } =
      body.subscribers.find((one) => one.id === id) ?? {};
    return rest;
  };

  it("emit subscriber.created with the record of the API, and nothing for a known email", async () => {
    const { id, path, hook, subscribe } = await newSender();
    const name = `Zoë "Zed" \\ 'Z' 👍`;
    const nested = { a: [1, null, 'é\u2028"\\'], b: {} };
    const metadata = { plan: "gold", nested, source: "app", n: 1.5e300 };
    const email = `${unique("s")}@takes-mail.test`;
    const created = await subscribe({ email, name, metadata });
    expect(created).toMatchObject({ email, name, metadata });
    expect(await hook.payloads()).toEqual([
      {
        id: expect.stringMatching(UUID_V7),
        type: "subscriber.created",
        created_at: expect.stringMatching(RFC_3339),
        project_id: id,
        data: created,
      },
    ]);
    expect((await owner.post(`${path}/subscribers`, { email, name })).status).toBe(409);
    const gone = await subscribe({ status: "unsubscribed" });
    const [, second, ...more] = await hook.payloads();
    expect(second).toMatchObject({ type: "subscriber.created" });
    expect(second?.data).toEqual(gone);
    expect(more).toEqual([]);
  });

  it("emit subscriber.created once when they join the waitlist", async () => {
    const { id, hook, path } = await newSender();
    const email = address("wait");
    const join = () => service.anonymous.post(`/projects/${id}/waitlist`, { email });
    expect((await join()).status).toBe(200);
    expect((await join()).status).toBe(409);
    const [event, ...more] = await hook.payloads();
    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: "subscriber.created", data: { email, status: "pending" } });
    expect(event?.data).toEqual(await record(path, String(event?.data["id"])));
  });

  it("emit it for exactly the new rows of an import of 1,000", async () => {
    const { path, hook } = await newSender(["subscriber.created"]);
    const list = Array.from({ length: 1_000 }, (_, n) => ({
      email: `${unique("i")}@takes-mail.test`,
      name: `n${n}`,
    }));
    const load = async (rows: object[]) => {
      service.d1.reset();
      return (await owner.post(`${path}/subscribers/import`, rows)).body;
    };
    expect(await load(list.slice(0, 200))).toMatchObject({ imported: 200, skipped: 0 });
    expect(await hook.types()).toHaveLength(200);
    expect(await load(list)).toMatchObject({ imported: 800, skipped: 200 });
    // Counts four rows for a subscriber with a name, two for a delivery, and the counters.
    expect(costOf(service)).toEqual({ roundTrips: 3, rowsWritten: 800 * (4 + 2) + 1 });
    const told = (await hook.payloads()).map(({ data }) => String(data["email"]));
    expect(told.toSorted()).toEqual(list.map(({ email }) => email).toSorted());
    expect(await load(list)).toMatchObject({ imported: 0 });
    expect(await hook.types()).toHaveLength(1_000);
  });

  it("emit subscriber.unsubscribed with its time for each real change, by any of the three ways", async () => {
    const { id, path, hook, subscribe } = await newSender(["subscriber.unsubscribed"]);
    const person = await subscribe({ metadata: { a: 1 } });
    const patch = (status: string) =>
      owner.request("PATCH", `${path}/subscribers/${person.id}`, { status });
    const page = `/unsubscribe/${id}/${person.id}`;
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const body = "List-Unsubscribe=One-Click";
    const ways = [
      () => patch("unsubscribed"),
      () => service.fetch(page),
      () => service.fetch(page, { method: "POST", body, headers }),
    ];
    for (const [index, leave] of ways.entries()) {
      for (let time = 0; time < 2; time++) await leave();
      await patch("unsubscribed");
      const events = await hook.payloads();
      expect(events).toHaveLength(index + 1);
      const last = events.at(-1);
      expect(last).toMatchObject({ type: "subscriber.unsubscribed", project_id: id });
      expect(last?.data).toEqual(await record(path, person.id));
      expect(last?.data["unsubscribed_at"]).toMatch(RFC_3339);
      await patch("active");
    }
    expect((await owner.delete(`${path}/subscribers/${person.id}`)).status).toBe(204);
    expect(await hook.types()).toHaveLength(3);
  });

  it("emit subscriber.updated with the record of the API for each real change except an unsubscribe", async () => {
    const { path, hook, subscribe } = await newSender(["subscriber.updated"]);
    const [one, two] = [await subscribe(), await subscribe({ status: "pending" })];
    const edit = async (id: string, change: object) =>
      (await owner.request("PATCH", `${path}/subscribers/${id}`, change)).body;
    const bulk = (status: string) =>
      owner.post(`${path}/subscribers/bulk`, {
        ids: [one.id, two.id],
        action: "set_status",
        status,
      });
    const records: unknown[] = [await edit(one.id, { name: "Zoë", metadata: { a: [1, null] } })];
    await edit(one.id, { name: "Zoë", metadata: { a: [1, null] }, status: "active" });
    records.push(await edit(two.id, { status: "active", name: "Tim" }));
    records.push(await edit(two.id, { name: "Tom", status: "unsubscribed" }));
    await bulk("unsubscribed");
    expect((await hook.payloads()).map(({ data }) => data)).toEqual(records);
    expect(await bulk("active")).toMatchObject({ status: 200 });
    const changed = (await hook.payloads()).slice(records.length);
    expect(changed.map(({ data }) => data)).toEqual(
      expect.arrayContaining([await record(path, one.id), await record(path, two.id)]),
    );
    expect(changed).toHaveLength(2);
  });

  it("whose unsubscribe is undone emit subscriber.updated", async () => {
    const { id, path, hook, subscribe } = await newSender([
      "subscriber.updated",
      "subscriber.unsubscribed",
    ]);
    const person = await subscribe();
    const page = `/unsubscribe/${id}/${person.id}`;
    const html = await (await service.fetch(page)).text();
    const body = `undo=${/name="undo" value="([^"]+)"/.exec(html)?.[1] ?? ""}`;
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    await service.fetch(page, { method: "POST", body, headers });
    const [left, back] = await hook.payloads();
    expect(left?.type).toBe("subscriber.unsubscribed");
    expect(back).toMatchObject({ type: "subscriber.updated", data: { status: "active" } });
    expect(back?.data).toEqual(await record(path, person.id));
  });

  it("of another project cannot be unsubscribed with this project's id, and emit nothing", async () => {
    const [mine, other] = [await newSender(), await newSender()];
    const { id } = await other.subscribe();
    await service.fetch(`/unsubscribe/${mine.id}/${id}`);
    await owner.request("PATCH", `${mine.path}/subscribers/${id}`, { status: "unsubscribed" });
    expect(await mine.hook.types()).toEqual([]);
    expect(await other.hook.types()).toEqual(["subscriber.created"]);
  });

  it("cost a project without webhooks no additional row", async () => {
    const { id } = await owner.newProject();
    const add = () =>
      owner.post(`/projects/${id}/subscribers`, { email: `${unique("c")}@takes-mail.test` });
    await add();
    service.d1.reset();
    await add();
    expect(costOf(service)).toEqual({ roundTrips: 2, rowsWritten: 3 + 1 });
    // 17, that the address is not erased for both writes, the guard of the check, the fill, the default topics, and the triggers of automations.
    expect(service.d1.rowsRead).toBeLessThanOrEqual(17 + 2 + 3 + 1 + 2 + 4);
  });
});

describe("a broadcast", () => {
  /** What lists say of visits, and events do not. */
  const VISITS = ["opened", "opened_human", "clicked", "clicked_human", "unsubscribed"];
  const EVENTS = ["broadcast.started", "broadcast.paused", "broadcast.finished"];
  const record = async ({ owner: person, news, id }: Scenario) => {
    const { body } = await person.get<{ broadcasts: { id: string }[] }>(`${news.path}/broadcasts`);
    const found = Object.entries(body.broadcasts.find((one) => one.id === id) ?? {});
    return Object.fromEntries(found.filter(([key]) => !VISITS.includes(key)));
  };

  it("emits each of its three events once, with the broadcast as lists present it", async () => {
    let hook = await newWebhook(unique("none"));
    const world = await scenario(3, async ({ id }) => {
      hook = await newWebhook(id, EVENTS);
    });
    const { news, id, owner: person, deps: own } = world;
    const atStart = await record(world);
    const action = (name: string) => person.post(`${news.path}/broadcasts/${id}/${name}`, {});
    expect((await action("pause")).status).toBe(200);
    const atPause = await record(world);
    expect((await action("pause")).status).toBe(409);
    expect((await action("resume")).status).toBe(200);
    await world.finish();
    await runScheduled(own, EVERY_MINUTE);
    expect(await hook.payloads()).toEqual(
      [atStart, atPause, await record(world)].map((data, n) => ({
        id: expect.stringMatching(UUID_V7),
        type: EVENTS[n],
        created_at: expect.stringMatching(RFC_3339),
        project_id: news.id,
        data,
      })),
    );
    expect(atPause).toMatchObject({ state: "paused" });
    expect(await record(world)).toMatchObject({ state: "done", sent: 3 });
  });

  it("that auto-pauses says why, and one that is cancelled is finished", async () => {
    let hook = await newWebhook(unique("none"));
    const world = await scenario(1, async ({ id }) => {
      hook = await newWebhook(id, EVENTS.slice(1));
    });
    const { news, id, owner: person, deps: own } = world;
    const of = { id, projectId: news.id, automationId: null };
    const broadcast = { ...of, subject: "s", resumptions: 0 };
    for (let time = 0; time < 2; time++)
      await pauseByItself(own, broadcast, serverError("no room"));
    const paused = await record(world);
    expect(paused).toMatchObject({ state: "paused", error: "no room" });
    for (let time = 0; time < 2; time++)
      await person.post(`${news.path}/broadcasts/${id}/cancel`, {});
    const data = await record(world);
    expect(data).toMatchObject({ state: "cancelled" });
    expect(await hook.payloads()).toMatchObject([
      { type: "broadcast.paused", data: paused },
      { type: "broadcast.finished", data },
    ]);
  });
});
