import { describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { REFUSAL_REASONS } from "../../../src/mail/bounce/index.ts";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { appendLog, broadcastLogId, type LogEntry } from "../../../src/services/email-log/index.ts";
import { TIMELINE, type TimelineCode } from "../../../src/messages/timeline.ts";
import { explain } from "../../../src/services/email-log/timeline/explain.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { queueIdOf } from "../../../src/mail/smtp/index.ts";
import { outcomesOf } from "../../../src/services/mailing/outcome.ts";
import { recordStatements } from "../../../src/services/mailing/record.ts";
import { recordFindings } from "../../support/record-findings.ts";
import { receivedMessages, waitForMessages } from "../../support/mailbox.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { testLicense } from "../../support/license.ts";
import { logEntry } from "../../support/log-entry.ts";
import { allRows, insertRow, insertSubscriber, type Row } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { DAY, iso, SECOND } from "../../support/times.ts";
import { FIREFOX, GMAIL, trackingEvent, URL_A } from "../../support/tracking/mails.ts";

const clock = { aheadMs: 0 };
const service = createService(
  {
    WEBHOOK_QUEUE,
    DEPLOYMENT_MODE: "self_hosted",
    LOG_RETENTION_DAYS: "90",
    ...(await testLicense("pro")),
  },
  { now: () => Date.now() + clock.aheadMs },
);
const deps = await service.deps();
const owner = await service.newOwner();
const address = (word = "timeline") => `${unique(word)}@any.test`;

async function newSender() {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  const send = async (to: string) => {
    const body = { to, subject: "Hello", html_body: "<p>Hi</p>" };
    return String((await owner.post(`${path}/send`, body)).body["id"]);
  };
  return { ...project, path, send };
}
const sender = await newSender();
const timelineOf = (id: string, by = owner, path = sender.path) => by.get(`${path}/logs/${id}`);
const entryIn = async (path: string, id: string) => {
  const { body } = await owner.get<{ logs: Row[] }>(`${path}/logs?limit=200`);
  return body.logs.find((entry) => entry["id"] === id);
};
const says = (code: TimelineCode, toDo: TimelineCode, reason?: TimelineCode) => ({
  what_happened: TIMELINE[code].replace("{reason}", reason ? TIMELINE[reason] : ""),
  code,
  ...(reason && { params: { reason: { code: reason, message: TIMELINE[reason] } } }),
  what_to_do: TIMELINE[toDo],
  what_to_do_code: toDo,
});

/** Reports a returned or unwanted mail, as a provider does. */
async function report(
  kind: "bounce" | "complaint",
  to: string,
  logId: string,
  by: "imap" | "email" | "ingest" = "ingest",
) {
  const parsed = parseEmailAddress(to);
  if (!parsed.ok) throw new Error(to);
  const finding = { kind, email: parsed.address, words: "no such user", logId } as const;
  await recordFindings(deps, sender.id, [{ ...finding, reason: "user_unknown" }], { source: by });
}

describe("the timeline of a mail", () => {
  it("has the entry, its attempt, opens, clicks and webhook deliveries, in two round trips", async () => {
    const own = await newSender();
    const hook = await newWebhook(own.id, []);
    const id = await own.send(address());
    const other = await own.send(address());
    const entry = await entryIn(own.path, id);
    const sentAt = Date.parse(String(entry?.["sent_at"]));
    const visits = [
      { ...trackingEvent("open", id, sentAt + 20 * SECOND), userAgent: GMAIL },
      trackingEvent("click", id, sentAt + 30 * SECOND),
    ];
    await recordEvents(deps, visits);
    service.d1.reset();
    const { status, body } = await timelineOf(id, owner, own.path);
    expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([2, 0]);
    expect(service.d1.rowsRead).toBeLessThan(60);
    const opened = iso(sentAt + 20 * SECOND);
    const clicked = iso(sentAt + 30 * SECOND);
    expect(status).toBe(200);
    const deliveries = body["webhook_deliveries"] as Row[];
    expect(body).toEqual({
      ...entry,
      opened_at: opened,
      clicked_at: clicked,
      explanation: says("clicked", "nothing_to_do"),
      automation: null,
      server: "127.0.0.1",
      queue_id: null,
      tls: null, // a loopback host decides for itself
      attempts: [{ at: entry?.["sent_at"], status: "sent", error: null, via_fallback: false }],
      opens: [{ at: opened, class: "prefetch", user_agent: GMAIL }],
      clicks: [{ at: clicked, url: URL_A, class: "human", user_agent: FIREFOX }],
      bounce: null,
      complaint: null,
      suppression: null,
      webhook_deliveries: deliveries,
    });
    for (const { webhook_id: webhookId } of deliveries) expect(webhookId).toBe(hook.id);
    const types = deliveries.map(({ event_type: type }) => String(type));
    expect(types.toSorted()).toEqual(["email.clicked", "email.opened", "email.sent"]);
    const second = await timelineOf(other, owner, own.path);
    expect(second.body["webhook_deliveries"]).toHaveLength(1);
    clock.aheadMs += 130 * SECOND; // a visit may wait until its mail is logged
    await recordEvents(deps, [trackingEvent("open", other, sentAt + SECOND)]);
    const late = await timelineOf(other, owner, own.path);
    expect(late.body["webhook_deliveries"]).toMatchObject([{}, { event_type: "email.opened" }]);
    expect(second.body["explanation"]).toEqual(says("accepted", "nothing_more_to_learn"));
  });

  it.each([
    [465, "implicit"],
    [587, "starttls"],
  ])("says whether the sessions with port %i have TLS: %s", async (port, tls) => {
    const own = await newSender();
    const id = await own.send(address());
    const moved = "update projects set smtp_host = 'smtp.any.test', smtp_port = ? where id = ?";
    await allRows(moved, port, own.id);
    const { body } = await timelineOf(id, owner, own.path);
    expect(body).toMatchObject({ server: "smtp.any.test", tls });
    const { id: other } = await owner.newProject();
    expect((await timelineOf(id, owner, `/projects/${other}`)).status).toBe(404);
  });

  it("of a rejected mail has the reply, the suppression, and what to do", async () => {
    const id = await sender.send(`rcpt.550.5.1.1.${address()}`);
    const { body } = await timelineOf(id);
    const at = body["sent_at"];
    expect(body).toMatchObject({
      status: "bounced",
      explanation: says("refused", "ask_for_address_suppressed", "user_unknown"),
      attempts: [{ at, status: "bounced", error: body["error"] }],
      bounce: { at, reported_by: "smtp", words: body["error"] },
      suppression: { email: body["to_email"], reason: "hard_bounce" },
    });
  });

  it.each(["imap", "email", "ingest"] as const)(
    "of a bounced mail has the time and the text of its report: %s",
    async (by) => {
      const to = address();
      const id = await sender.send(to);
      clock.aheadMs += 5 * SECOND;
      await report("bounce", to, id, by);
      const { body } = await timelineOf(id);
      const { at } = body["bounce"] as Row;
      expect(Date.parse(String(at)) - Date.parse(String(body["sent_at"]))).toBeGreaterThan(4_000);
      const story = {
        attempts: [{ at: body["sent_at"], status: "sent", error: null }],
        bounce: { at, reported_by: by, words: "no such user" },
      };
      expect(body).toMatchObject({
        ...story,
        explanation: says("returned", "ask_for_address_suppressed", "user_unknown"),
      });
      const { id: suppression } = body["suppression"] as Row;
      await owner.request("DELETE", `${sender.path}/suppressions/${String(suppression)}`);
      expect((await timelineOf(id)).body).toMatchObject({
        ...story,
        suppression: null,
        explanation: says("returned", "ask_for_address", "user_unknown"),
      });
    },
  );

  it("knows complaints, suppressed addresses, and a server that may have changed", async () => {
    const own = await newSender();
    const to = address();
    const id = await own.send(to);
    const parsed = parseEmailAddress(to);
    if (!parsed.ok) throw new Error(to);
    const finding = { kind: "complaint", email: parsed.address, words: "", logId: id } as const;
    await recordFindings(deps, own.id, [{ ...finding, reason: "unknown" }]);
    const complained = await timelineOf(id, owner, own.path);
    expect(complained.body).toMatchObject({
      complaint: { at: expect.any(String) },
      explanation: says("complained", "stop_mailing"),
    });
    const second = await timelineOf(await own.send(to), owner, own.path);
    expect(second.body).toMatchObject({
      attempts: [],
      server: null,
      explanation: says("suppressed", "remove_from_list"),
    });
    clock.aheadMs += SECOND;
    await owner.put(`${own.path}/smtp`, {
      smtp_host: "127.0.0.1",
      smtp_port: CAPTURING.smtpPort,
      smtp_user: "user",
    });
    expect((await timelineOf(id, owner, own.path)).body["server"]).toBeNull();
  });

  it("is readable with a key, and is 404 for others, other ids and entries beyond the retention", async () => {
    const id = await sender.send(address());
    const sk = service.withKey(sender.key);
    expect((await timelineOf(id, sk)).body).toEqual((await timelineOf(id)).body);
    const other = await owner.newProject();
    expect((await owner.get(`/projects/${other.id}/logs/${id}`)).status).toBe(404);
    const free = createService({ LOG_RETENTION_DAYS: "90" });
    const unlicensed = await free.withKey(sender.key).get(`${sender.path}/logs/${id}`);
    expect(unlicensed.body).toMatchObject({ id, webhook_deliveries: null });
    clock.aheadMs += 92 * DAY;
    expect((await timelineOf(id, sk)).status).toBe(404);
    clock.aheadMs -= 92 * DAY;
  });

  it("explains every other outcome with what to do", () => {
    const none = { openedAt: null, clickedAt: null, openedClass: null, reason: null } as const;
    const rest = { clicks: [], suppression: undefined, origin: { bounce: null, complaint: null } };
    const codesOf = (entry: object, facts: object = {}) => {
      const { whatHappened, whatToDo } = explain({
        ...rest,
        ...facts,
        entry: { ...none, error: "words", ...entry },
      } as unknown as Parameters<typeof explain>[0]);
      return [whatHappened.code, whatToDo.code];
    };
    const click = { clicks: [{ class: "human" }] };
    const unsubscribed = { suppression: { reason: "unsubscribed" } };
    const bounced = { suppression: { reason: "hard_bounce" } };
    expect([
      codesOf({ status: "sent", openedAt: 1 }),
      codesOf({ status: "sent", openedAt: 1, openedClass: "human" }),
      codesOf({ status: "sent", clickedAt: 1 }),
      codesOf({ status: "sent", clickedAt: 1 }, click),
      codesOf({ status: "suppressed" }),
      codesOf({ status: "suppressed" }, unsubscribed),
      codesOf({ status: "suppressed" }, bounced),
      codesOf({ status: "bounced" }),
      codesOf({ status: "failed" }),
      codesOf({ status: "failed", error: "outcome unknown: lost" }),
      ...REFUSAL_REASONS.map((reason) => codesOf({ status: "failed", reason })),
    ]).toEqual([
      ["images_loaded", "nothing_to_do"],
      ["opened", "nothing_to_do"],
      ["link_visited", "nothing_to_do"],
      ["clicked", "nothing_to_do"],
      ["suppressed", "send_again"],
      ["suppressed", "respect_unsubscribe"],
      ["suppressed", "ask_before_removing"],
      ["undeliverable", "ask_for_address"],
      ["not_sent", "correct_error"],
      ["outcome_unknown", "ask_recipient"],
      ...REFUSAL_REASONS.map(() => ["refused", expect.any(String)]),
    ]);
  });
});

describe("the queue id that the mail server assigned to a mail", () => {
  it.each([
    ["2.0.0 Ok: queued as 4XyZ12abcD", "4XyZ12abcD"],
    ["OK id=1tFqBc-00000001abc-0dEf", "1tFqBc-00000001abc-0dEf"],
    ["2.0.0 4AMBcDEf012345 Message accepted for delivery", "4AMBcDEf012345"],
    ["2.0.0 OK  1732270000 5b1f17b1804b1-432f6432aa.89 - gsmtp", "5b1f17b1804b1-432f6432aa.89"],
    ["Ok 010201939c8b2f3a-1b2c3d4e-5f60-7182-93a4-000000", "010201939c8b2f3a-1b2c3d4e-5f60-7182-"],
    ["2.6.0 <a1@b.example> [InternalId=42, Hostname=x] Queued mail for delivery", "42"],
    ["2.0.0 Ok", undefined],
    ["OK: message queued", undefined],
  ])("is read from %s", (text, id) => {
    expect(queueIdOf(text)).toBe(id);
  });

  it("is logged with the mail and shown in its timeline", async () => {
    const to = address();
    const reply = { code: 250, enhanced: "2.0.0", text: "Ok: queued as 4XyZ12" };
    const result = { address: to, outcome: "accepted", phase: "body", reply, error: "" } as const;
    const logId = deps.newId();
    const facts = { logId, subject: "Hi", tags: null, templateId: null, subscriberId: null };
    const mail = { ...facts, broadcastId: null };
    const all = { recipients: [result], sessionUsable: true };
    const sent = { result: all, role: undefined };
    const outcome = outcomesOf(to, sent, { suppressOnAny5xx: false });
    await runBatch(deps.db, recordStatements(deps, sender.id, [{ mail, outcome }]));
    expect((await timelineOf(logId)).body).toMatchObject({ to_email: to, queue_id: "4XyZ12" });
  });
});

describe("sending a logged mail again", () => {
  const again = (id: string, body: object = {}, path = sender.path) =>
    service.withKey(sender.key).post(`${path}/logs/${id}/resend`, body);
  const newTemplate = async () => {
    const fields = { name: unique("t"), subject: "{{word}}", html_body: "<p>{{word}}</p>" };
    return String((await owner.post(`${sender.path}/templates`, fields)).body["id"]);
  };
  const log = async (change: Partial<LogEntry>) => {
    const entry = logEntry(sender.id, { sentAt: Date.now(), toEmail: address(), ...change });
    await runBatch(deps.db, appendLog(deps, sender.id, [entry]));
    return entry;
  };
  const failed = { status: "failed", error: "the connection failed" } as const;

  it("sends the template to the same address once, with its tags, even on repeated requests", async () => {
    const templateId = await newTemplate();
    const { id, toEmail } = await log({ ...failed, templateId, tags: { kind: "x" } });
    const body = { data: { word: "Again" } };
    const answers = [await again(id, body), await again(id, body)];
    expect(answers[0]).toMatchObject({ status: 200, body: { message: "sent" } });
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const [mail, ...more] = await waitForMessages(toEmail, 1);
    expect([more.length, mail?.text]).toEqual([0, expect.stringContaining("Subject: Again")]);
    expect((await timelineOf(String(answers[0]?.body["id"]))).body).toMatchObject({
      status: "sent",
      template_id: templateId,
      tags: { kind: "x" },
      to_email: toEmail,
    });
  });

  it("sends to a subscriber as a subscriber", async () => {
    const subscriberId = crypto.randomUUID();
    await insertSubscriber(subscriberId, sender.id);
    const toEmail = `${subscriberId}@any.test`;
    const { id } = await log({ ...failed, toEmail, subscriberId, templateId: await newTemplate() });
    const { body } = await again(id, { subject: "Hi {{email}}" });
    expect((await timelineOf(String(body["id"]))).body).toMatchObject({
      subscriber_id: subscriberId,
      subject: `Hi ${toEmail}`,
      status: "sent",
    });
    await owner.request("PATCH", `${sender.path}/subscribers/${subscriberId}`, {
      status: "unsubscribed",
    });
    const second = await log({ ...failed, toEmail, subscriberId, templateId: await newTemplate() });
    expect(await again(second.id)).toMatchObject({ status: 200 });
  });

  it("is 409 with the reason if it is not safe, and nothing is sent", async () => {
    const templateId = await newTemplate();
    const unknown = { status: "failed", error: "outcome unknown: lost" } as const;
    const off = await log({ ...failed, templateId });
    await owner.post(`${sender.path}/suppressions`, { emails: [off.toEmail] });
    const cases: [LogEntry, string][] = [
      [await log({ templateId }), "mail_accepted"],
      [await log({ ...unknown, templateId }), "mail_outcome_unknown"],
      [await log(failed), "mail_content_not_kept"],
      [await log({ ...failed, templateId, broadcastId: crypto.randomUUID() }), "mail_of_broadcast"],
      [await log({ ...failed, templateId: crypto.randomUUID() }), "template_gone"],
      [await log({ ...failed, templateId, subscriberId: crypto.randomUUID() }), "subscriber_gone"],
      [off, "address_suppressed"],
    ];
    for (const [{ id, toEmail }, code] of cases) {
      expect(await again(id)).toMatchObject({ status: 409, body: { code } });
      expect(await receivedMessages(toEmail)).toEqual([]);
    }
    const [accepted, lost] = cases;
    for (const one of [accepted, lost])
      expect((await again(String(one?.[0].id), { may_arrive_twice: true })).status).toBe(200);
    const foreign = await owner.newProject(CAPTURING);
    const path = `/projects/${foreign.id}/logs/${String(lost?.[0].id)}/resend`;
    expect((await owner.post(path, { may_arrive_twice: true })).status).toBe(404);
  });
});

describe("a search of the log", () => {
  const NOON = Date.UTC(2026, 4, 10, 12);
  const own = createService({ LOG_RETENTION_DAYS: "0" });
  interface Page {
    logs: Row[];
    total?: number;
    next?: string | null;
  }
  const search = async (path: string, query: Record<string, string>) => {
    const text = new URLSearchParams(query).toString();
    return (
      await own.anonymous.request<Page>("GET", `${path}/logs?${text}`, undefined, {
        Cookie: owner.cookie,
      })
    ).body;
  };
  /** Ids of all pages of a search. */
  async function all(path: string, query: Record<string, string>): Promise<unknown[]> {
    const ids: unknown[] = [];
    let next: string | null | undefined;
    do {
      const page = await search(path, { ...query, limit: "2", ...(next ? { after: next } : {}) });
      expect([page.logs.length <= 2, page.total]).toEqual([true, undefined]);
      ids.push(...page.logs.map(({ id }) => id));
      ({ next } = page);
    } while (next);
    return ids;
  }

  /** A finished broadcast; its parts make the log ids of its mails. */
  async function newBroadcast(projectId: string) {
    const id = crypto.randomUUID();
    await insertRow("broadcasts", {
      id,
      project_id: projectId,
      subject: "",
      html_body: "",
      text_body: "",
      status: "active",
      state: "done",
      log_key: "key",
      cutoff_id: "",
      planned_id: "",
      plan_due_at: 0,
      created_at: NOON,
    });
    return { id, logKey: "key", createdAt: NOON };
  }

  it("finds exactly the matching entries, newest first, page by page", async () => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}`;
    const [subscriber, template] = [crypto.randomUUID(), crypto.randomUUID()];
    await insertSubscriber(subscriber, id);
    const to = `${subscriber}@any.test`;
    const broadcast = await newBroadcast(id);
    const entries: LogEntry[] = Array.from({ length: 24 }, (_, n) =>
      logEntry(id, {
        sentAt: NOON + (n >> 1) * SECOND,
        subject: n % 2 === 0 ? `News ${n}` : "news",
        ...(n % 3 === 0 ? { templateId: template } : {}),
        ...(n % 4 === 0 ? { toEmail: to, subscriberId: n % 8 === 0 ? subscriber : null } : {}),
        ...(n % 5 === 0 ? { status: "failed", error: "x", reason: "blocked" } : {}),
        ...(n % 6 === 0 ? { tags: { kind: n % 12 === 0 ? "a" : "b", 'x"y': "1" } } : {}),
      }),
    );
    entries.push(
      logEntry(id, {
        id: broadcastLogId(broadcast, subscriber),
        sentAt: NOON + 5_500,
        toEmail: to,
        subscriberId: subscriber,
        broadcastId: broadcast.id,
      }),
    );
    await runBatch(deps.db, appendLog(deps, id, entries));
    const newest = entries.toSorted((a, b) => b.sentAt - a.sentAt || (a.id < b.id ? 1 : -1));
    const cases: [Record<string, string>, (entry: LogEntry) => boolean][] = [
      [{ to_email: to.toUpperCase() }, (one) => one.toEmail === to],
      [{ subscriber_id: subscriber }, (one) => one.subscriberId === subscriber],
      [{ template_id: template }, (one) => one.templateId === template],
      [{ broadcast_id: broadcast.id }, (one) => one.broadcastId === broadcast.id],
      [{ tag: "kind" }, (one) => one.tags?.["kind"] !== undefined],
      [{ tag: 'x"y', tag_value: "1", template_id: template }, (one) => one.tags !== null],
      [{ tag: "kind", tag_value: "a" }, (one) => one.tags?.["kind"] === "a"],
      [{ tag_value: "b" }, (one) => one.tags?.["kind"] === "b"],
      [{ to_email: to, status: "failed" }, (one) => one.toEmail === to && one.status === "failed"],
      [
        { tag: "kind", from: iso(NOON + 3_000), to: iso(NOON + 9_000) },
        (one) => one.tags !== null && one.sentAt >= NOON + 3_000 && one.sentAt < NOON + 9_000,
      ],
      [{ tag: "nothing" }, () => false],
    ];
    for (const [query, isMatch] of cases)
      expect([query, await all(path, query)]).toEqual([
        query,
        newest.filter(isMatch).map((entry) => entry.id),
      ]);
    for (const query of [
      { batch_id: "x" },
      { to_email: "x" },
      { tag: "x", offset: "1" },
      { tag: "x", after: "1" },
    ])
      expect(await search(path, query as Record<string, string>)).toHaveProperty("error");
    const stranger = await service.newOwner();
    const { id: theirs } = await stranger.newProject();
    expect(
      (await stranger.get(`/projects/${theirs}/logs?subscriber_id=${subscriber}`)).status,
    ).toBe(404);
    expect((await stranger.get<Page>(`/projects/${theirs}/logs?to_email=${to}`)).body.logs).toEqual(
      [],
    );
  });

  it("by address finds no mail that went to a former address of the subscriber", async () => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}`;
    const subscriber = crypto.randomUUID();
    await insertSubscriber(subscriber, id);
    const broadcast = await newBroadcast(id);
    const sent = logEntry(id, {
      id: broadcastLogId(broadcast, subscriber),
      sentAt: NOON,
      toEmail: "former@any.test",
      subscriberId: subscriber,
      broadcastId: broadcast.id,
    });
    await runBatch(deps.db, appendLog(deps, id, [sent]));
    expect(await all(path, { subscriber_id: subscriber })).toEqual([sent.id]);
    expect(await all(path, { to_email: `${subscriber}@any.test` })).toEqual([]);
  });

  it("examines at most 1,000 entries per page, and continues from there", async () => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}`;
    const entries = Array.from({ length: 2_300 }, (_, n) =>
      logEntry(id, { sentAt: NOON + n, tags: { kind: n === 50 ? "needle" : "hay" } }),
    );
    await runBatch(deps.db, appendLog(deps, id, entries));
    own.d1.reset();
    const first = await search(path, { tag_value: "needle" });
    expect([first.logs, typeof first.next]).toEqual([[], "string"]);
    expect([own.d1.roundTrips, own.d1.rowsWritten]).toEqual([2, 0]);
    expect(own.d1.rowsRead).toBeLessThan(6_500);
    expect(await all(path, { tag_value: "needle" })).toEqual([entries[50]?.id]);
    own.d1.reset();
    await search(path, { to_email: "nobody@any.test" });
    expect(own.d1.rowsRead).toBeLessThan(30);
  });
});
