/* Erasure of a person: what is left, what comes back, and what a crash or another call changes. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { recordLate } from "../../../src/services/mailing/index.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { recordFindings } from "../../support/record-findings.ts";
import {
  ASYNC,
  manualService,
  newNewsletter,
  runUntilDeath,
  workOff,
} from "../../support/broadcasting.ts";
import { newWebhook } from "../../support/events.ts";
import { logEntry } from "../../support/log-entry.ts";
import { runSender } from "../../support/project-objects.ts";
import { allRows, everyTable, insertRow } from "../../support/rows.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";
import { createService, unique, type Client } from "../../support/service.ts";
import { EVERY_MINUTE } from "../../support/times.ts";
import { storeBroadcast } from "../../support/stored-broadcasts.ts";
import { trackingEvent } from "../../support/tracking/mails.ts";

const { service, queued, clock } = manualService();
const owner = await service.newOwner();
const deps = await service.deps();

const HOUR = 3_600_000;

/** Returns the tables with a row that contains a text, and the rows. */
async function tracesOf(text: string) {
  const found: string[] = [];
  for (const { name, rows } of await everyTable())
    for (const row of rows)
      if (JSON.stringify(row).includes(text)) found.push(`${name}: ${JSON.stringify(row)}`);
  return found;
}

const emailOf = (text: string) => {
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.address;
};

/** A project with a subscriber who has mails of every kind. */
async function newPerson(who: Client = owner) {
  const news = await newNewsletter(service, who);
  const email = `${unique("ann")}@takes-mail.test`;
  const subscriber = await who.post<{ id: string }>(`${news.path}/subscribers`, {
    email,
    name: "Ann Example",
    metadata: { city: "Ulm" },
  });
  const id = subscriber.body.id;
  const send = (more: object) =>
    who.post<{ id: string }>(`${news.path}/send`, {
      subject: "Hello Ann Example",
      html_body: "<p>x</p>",
      ...more,
    });
  const erase = () => who.delete(`${news.path}/subscribers/${id}?erase=true`);
  return { ...news, projectId: news.id, email, id, send, erase };
}

const nextMinute = async (aheadMs = 60_000) => {
  clock.aheadMs += aheadMs;
  await runScheduled(deps, EVERY_MINUTE);
};
const erasures = (path: string, who: Client = owner) => who.get(`${path}/erasures`);

describe("an erasure", () => {
  it("leaves no row with the address, the name or the visitor, and every count unchanged", async () => {
    const { path, id, email, send, erase, ...news } = await newPerson();
    const hook = await newWebhook(news.projectId);
    const direct = await send({ to: email, tags: { user: "Ann Example" } });
    const copies = [email, "ben@any.test"].map((to) => ({
      email: to,
      status: "failed",
      error: to,
    }));
    const other = logEntry(news.projectId, { sentAt: Date.now(), copies });
    const earlier = [{ at: 1, error: `450 4.2.1 <${email}> is busy` }];
    const tried = logEntry(news.projectId, { sentAt: Date.now(), toEmail: email, earlier });
    await runBatch(deps.db, appendLog(deps, news.projectId, [other, tried]));
    await insertRow("unverified_bounces", {
      project_id: news.projectId,
      email,
      kind: "bounce",
      reason: "unknown",
      words: "550",
      first_seen_at: 1,
      last_seen_at: 1,
    });
    const started = await news.start(ASYNC);
    queued.length = 0;
    const mails = [direct.body.id];
    const visits = mails.flatMap((logId) => [
      { ...trackingEvent("open", logId, Date.now()), ipAddress: "192.0.2.99" },
      { ...trackingEvent("click", logId, Date.now() + 1), ipAddress: "192.0.2.99" },
    ]);
    await recordEvents(deps, visits);
    await owner.post(`${path}/topics`, { name: "Digest", description: "" });
    await owner.put(`${path}/subscribers/${id}/topics`, { Digest: "subscribed" });
    await owner.post(`${path}/suppressions`, { emails: [email], reason: "manual" });
    const listed = await owner.get<{ suppressions: { id: string }[] }>(`${path}/suppressions`);
    await owner.delete(`${path}/suppressions/${listed.body.suppressions[0]?.id}`);
    await owner.post(`${path}/suppressions`, { emails: [email], reason: "manual" });
    const soft = [{ email: emailOf(email), sentAt: Date.now() }];
    await recordFindings(deps, news.projectId, [], { soft });
    const before = (await owner.get(`${path}/stats`)).body;
    expect(started.status).toBe(202);
    expect((await tracesOf(email)).length).toBeGreaterThan(4);

    expect((await erase()).status).toBe(204);
    expect(await tracesOf(email)).toEqual([]);
    for (const text of ["Ann Example", "192.0.2.99"]) expect(await tracesOf(text)).toEqual([]);
    const named = (await tracesOf(id)).map((row) => row.split(":", 1)[0]);
    expect(new Set(named)).toEqual(new Set(["audit_entries", "broadcasts"])); // the end of its audience
    expect((await owner.get(`${path}/stats`)).body).toEqual(before);
    expect((await owner.get(`${path}/logs/${direct.body.id}`)).body).toMatchObject({
      status: "sent",
      to_email: "",
      subject: "",
      clicked_at: expect.any(String),
    });
    const [left] = await allRows("select copies from logged_mails where id = ?", other.id);
    expect(JSON.parse(String(left?.["copies"]))).toEqual([copies[1]]);
    expect((await owner.get(`${path}/subscribers`)).body).toMatchObject({ total: 0 });
    expect((await owner.get(`${path}/suppressions`)).body).toMatchObject({ total: 0 });
    expect((await hook.payloads()).map(({ data }) => data["to"])).not.toContain(email);
  });

  it("replaces the address in conditions, plans, names, sources and the audit log, but not within another address", async () => {
    const { path, projectId, email, erase } = await newPerson();
    const longer = `jo${email}`;
    const segment = await owner.post<{ id: string }>(`${path}/segments`, {
      name: `Only ${email}`,
      where: `email:${email} or email:${longer}`,
    });
    const friend = await owner.post<{ id: string }>(`${path}/subscribers`, {
      email: longer,
      name: email,
      metadata: { source: `ref=${email}`, by: `Ann <${email.toUpperCase()}>`, own: longer },
    });
    await owner.post(`${path}/topics`, { name: "Digest", description: `By ${email}` });
    const source = `said ${email.replace("@", "%40")}`;
    await owner.post(`${path}/suppressions`, { emails: ["x@any.test"], source });
    const { id: draft } = await storeBroadcast(service, {
      project_id: projectId,
      kind: "draft",
      state: "draft",
      cutoff_id: "",
      planned_id: "",
      name: email,
      audience_where: `email:${email}`,
      plan: JSON.stringify({ where: `email:${email}` }),
      variables: JSON.stringify({ to: email }),
    });
    expect((await erase()).status).toBe(204);
    const left = (await tracesOf(email)).filter((row) =>
      row.replaceAll(longer, "").toLowerCase().includes(email),
    );
    expect(left).toEqual([]);
    expect(await tracesOf(email.replace("@", "%40"))).toEqual([]);
    const word = expect.stringMatching(/^erased-[0-9a-f]{8}$/);
    const { body } = await owner.get(`${path}/segments/${segment.body.id}`);
    expect(body).toMatchObject({
      name: expect.stringMatching(/^Only erased-/),
      where: expect.stringMatching(/^email:erased-[0-9a-f]{8} or email:jo/),
    });
    expect((await owner.get(`${path}/subscribers/${friend.body.id}`)).body).toMatchObject({
      email: longer,
      name: word,
      metadata: { source: expect.stringMatching(/^ref=erased-/), own: longer },
    });
    const [row] = await allRows("select name, audience_where from broadcasts where id = ?", draft);
    expect(row).toEqual({ name: word, audience_where: expect.stringMatching(/^email:erased-/) });
  });

  it("removes the person and the server's replies from mails that a paused broadcast deferred", async () => {
    const { path, id, email, erase, ...news } = await newPerson();
    const other = { id: crypto.randomUUID(), error: "450 4.2.1 <ben@any.test> is busy" };
    const error = `450 4.2.1 <${email}> is busy`;
    const own = { id, error, tries: [{ at: 1, error }] };
    const { id: broadcastId } = await storeBroadcast(service, {
      project_id: news.projectId,
      state: "paused",
      cutoff_id: "~",
      planned_id: "~",
    });
    await insertRow("broadcast_chunks", {
      broadcast_id: broadcastId,
      after_id: "",
      until_id: "~",
      cursor_id: "~",
      state: "pending",
      attempt: 1,
      due_at: 1,
      lease_token: "",
      in_flight: "[]",
      again: JSON.stringify([own, other]),
      deferred: JSON.stringify([own]),
    });
    expect((await erase()).status).toBe(204);
    for (const text of [email, id])
      expect((await tracesOf(text)).filter((row) => !row.startsWith("audit_entries"))).toEqual([]);
    const [left] = await allRows(
      "select again, deferred from broadcast_chunks where broadcast_id = ?",
      broadcastId,
    );
    expect(left).toEqual({ again: JSON.stringify([other]), deferred: "[]" });
    expect((await owner.get(`${path}/broadcasts/${broadcastId}`)).status).toBe(200);
  });

  it("of somebody whose mail a dead sender left makes the next run forget that mail", async () => {
    const { id, email, erase, ...news } = await newPerson();
    await news.subscribe(3);
    const broadcastId = String((await news.start(ASYNC)).body["broadcast_id"]);
    const run = () => runSender(env.PROJECT_SENDER, news.projectId, deps);
    const noted = await runUntilDeath({ service, run }, { at: "record", when: "before" });
    expect(noted.has(id)).toBe(true);
    expect((await erase()).status).toBe(204);
    await workOff(deps, news.projectId);
    expect(await news.progress(broadcastId)).toMatchObject({ state: "done", sent: 3, failed: 0 });
    expect(await tracesOf(email)).toEqual([]);
  });

  it("deletes deliveries about the person, and only the responses of other deliveries", async () => {
    const { path, projectId, id: subscriberId, ...other } = await newPerson();
    const hook = await newWebhook(projectId, ["subscriber.updated"]);
    const email = `b${unique("o")}@any.test`;
    const deliver = async (id: string, to: string, answer: string | null) =>
      insertRow("webhook_deliveries", {
        webhook_id: hook.id,
        id,
        project_id: projectId,
        event_id: id,
        event_type: "email.sent",
        payload: JSON.stringify({ id, data: { to } }),
        status: "pending",
        last_answer: answer && JSON.stringify({ body: answer, isComplete: true }),
        created_at: 1,
      });
    await deliver("1", email, null);
    await deliver("2", `a${email}`, `saved for <a${email}>`);
    await deliver("3", other.email, `"${email}" came first`);
    await deliver("4", other.email, "thanks");
    await deliver("5", subscriberId, null);
    expect((await owner.post(`${path}/erasures`, { email })).status).toBe(204);
    const left = async () =>
      allRows(
        "select id, last_answer ->> 'body' as answer from webhook_deliveries where webhook_id = ? order by id",
        hook.id,
      );
    expect(await left()).toEqual([
      { id: "2", answer: null },
      { id: "3", answer: null },
      { id: "4", answer: "thanks" },
      { id: "5", answer: null },
    ]);
    expect((await other.erase()).status).toBe(204);
    expect((await left()).map(({ id }) => id)).toEqual(["2"]);
  });

  it("keeps the address from being stored again by any route", async () => {
    const { path, id: subscriberId, email, send, erase, ...news } = await newPerson();
    const { body: friend } = await owner.post<{ id: string }>(`${path}/subscribers`, {
      email: `${unique("f")}@takes-mail.test`,
    });
    await erase();
    expect((await owner.post(`${path}/subscribers`, { email })).status).toBe(409);
    expect((await owner.post(`${path}/subscribers/import`, [{ email }])).body).toMatchObject({
      imported: 0,
      skipped: 1,
    });
    const join = () => service.anonymous.post(`/projects/${news.projectId}/waitlist`, { email });
    expect([(await join()).status, (await join()).status]).toEqual([409, 409]);
    const made = await owner.post<{ key: string }>(`${path}/api-keys`, { name: "p", type: "pk" });
    expect(
      (await service.withKey(made.body.key).post("/join", { email: email.toUpperCase() })).status,
    ).toBe(409);
    const list = { file: `email,unsubscribed\n ${email.toUpperCase()} ,false\n${email},true\n` };
    expect((await owner.post(`${path}/audience/import`, list)).body).toMatchObject({
      imported: 0,
      unsubscribed: 0,
      skipped: 2,
    });
    const edit = await owner.request("PATCH", `${path}/subscribers/${friend.id}`, { email });
    expect(edit.status).toBe(409);
    expect((await owner.post(`${path}/suppressions`, { emails: [email] })).body).toMatchObject({
      added: 0,
    });
    const additions =
      "select 1 from audit_entries where scope_id = ? and action = 'suppression.add'";
    expect(await allRows(additions, news.projectId)).toEqual([]);
    service.d1.reset();
    expect((await send({ to: email })).status).toBe(422);
    expect(service.d1.roundTrips).toBe(2);
    expect((await send({ to: email })).status).toBe(422);
    const copied = await send({ to: `${unique("t")}@any.test`, cc: email });
    expect(copied.status).toBe(200);
    const batch = await owner.post(`${path}/send/batch`, {
      template_id: news.templateId,
      recipients: [{ to: email, data: { name: "Ann" } }],
    });
    expect(batch.body).toMatchObject({ sent: 0, suppressed: 1 });
    const report = {
      email: emailOf(email),
      words: `550 ${email}`,
      reason: "unknown",
      logId: undefined,
    } as const;
    await recordFindings(
      deps,
      news.projectId,
      [
        { kind: "bounce", ...report },
        { kind: "complaint", ...report },
      ],
      { soft: [{ email: emailOf(email), sentAt: undefined }] },
    );
    expect(await tracesOf(email)).toEqual([]);
    expect(await tracesOf(subscriberId)).toEqual([expect.stringContaining("subscriber.erase")]);
    expect(await news.received()).not.toContain(email);
  });

  it("is also recognized under the previous ENCRYPTION_KEY", async () => {
    const { path, key, email, erase } = await newPerson();
    await erase();
    const rotated = createService({
      ENCRYPTION_KEY: btoa("another key, of thirty-two bytes"),
      ENCRYPTION_KEY_PREVIOUS: TEST_SETTINGS.ENCRYPTION_KEY,
    }).withKey(key);
    const mail = { to: email, subject: "s", html_body: "<p>x</p>" };
    expect((await rotated.post(`${path}/send`, mail)).status).toBe(422);
    expect((await rotated.post(`${path}/subscribers`, { email })).status).toBe(409);
  });

  it("affects no one in another project, and cannot be triggered by another project", async () => {
    const [mine, other] = [await newPerson(), await service.newOwner()];
    const theirs = await newPerson(other);
    const same = { email: mine.email, name: "Same" };
    const { body: twin } = await other.post<{ id: string }>(`${theirs.path}/subscribers`, same);
    const foreign = `${mine.path}/subscribers/${theirs.id}?erase=true`;
    expect((await owner.delete(foreign)).status).toBe(404);
    expect((await other.delete(`${mine.path}/subscribers/${mine.id}?erase=true`)).status).toBe(403);
    await mine.erase();
    expect((await other.get(`${theirs.path}/subscribers/${twin.id}`)).body).toMatchObject(same);
    expect((await theirs.send({ to: mine.email })).status).toBe(200);
    expect((await erasures(mine.path)).body).toEqual({ total: 1, running: 1 });
    expect((await erasures(theirs.path, other)).body).toEqual({ total: 0, running: 0 });
  });

  it("removes people whom an import adds while it begins, and later imports add none of them", async () => {
    const { path, id, email } = await newPerson();
    let meanwhile: Promise<unknown> | undefined;
    const spare = `${unique("spare")}@takes-mail.test`;
    service.d1.before = (statements) => {
      if (meanwhile || !statements.some((text) => text.includes("erased_addresses"))) return;
      meanwhile = Promise.resolve();
      return owner
        .delete(`${path}/subscribers/${id}`)
        .then(() => owner.post(`${path}/subscribers/import`, [{ email }, { email: spare }]));
    };
    const erased = await owner.post(`${path}/erasures`, { email });
    service.d1.before = undefined;
    expect(erased.status).toBe(204);
    expect((await owner.post(`${path}/subscribers/import`, [{ email }])).body).toMatchObject({
      imported: 0,
    });
    const { body } = await owner.get<{ subscribers: { email: string }[] }>(`${path}/subscribers`);
    expect(body.subscribers.map((one) => one.email)).toEqual([spare]);
    expect(body).toMatchObject({ total: 1 });
  });

  it("by id erases a subscriber whose address changes while it begins, and reports if that never ends", async () => {
    const change = async (times: number) => {
      const person = await newPerson();
      const at = `${person.path}/subscribers/${person.id}`;
      const emails: string[] = [];
      service.d1.before = async (statements) => {
        const isErasure = statements.some((text) => text.includes("erased_addresses"));
        if (emails.length === times || !isErasure) return;
        const hook = service.d1.before;
        service.d1.before = undefined;
        const email = `${unique("new")}@takes-mail.test`;
        emails.push(email);
        expect((await owner.request("PATCH", at, { email })).status).toBe(200);
        service.d1.before = hook;
      };
      const { status } = await person.erase();
      service.d1.before = undefined;
      return {
        ...person,
        status,
        latest: emails.at(-1) ?? "",
        found: (await owner.get(at)).status,
      };
    };
    const once = await change(1);
    expect(once).toMatchObject({ status: 204, found: 404 });
    expect(await tracesOf(once.latest)).toEqual([]);
    expect((await once.send({ to: once.latest })).status).toBe(422);
    expect((await erasures(once.path)).body).toMatchObject({ total: 1 });
    const endless = await change(9);
    expect(endless).toMatchObject({ status: 409, found: 200 });
    expect((await erasures(endless.path)).body).toMatchObject({ total: 0 });
  });

  it("progresses in every project, even if another one has many waiting", async () => {
    const [many, one] = [await newPerson(), await newPerson()];
    for (let n = 0; n < 65; n += 1) {
      const email = `${unique("gone")}@takes-mail.test`;
      expect((await owner.post(`${many.path}/erasures`, { email })).status).toBe(204);
    }
    await one.erase();
    await nextMinute(HOUR + 60_000);
    for (let minute = 0; minute < 2; minute += 1) await nextMinute();
    expect((await erasures(one.path)).body).toEqual({ total: 1, running: 0 });
    const running = async () =>
      (await erasures(many.path)).body["running"] === 0 || (await nextMinute(), false);
    await expect.poll(running).toBe(true);
  });

  it("continues after a crash, erases what was in flight an hour later, and then keeps only the hash", async () => {
    const { path, email, send, erase, ...news } = await newPerson();
    await send({ to: email });
    service.d1.before = (statements) => {
      if (statements.some((text) => text.includes("update log_entries set to_email"))) {
        service.d1.before = undefined;
        throw new Error("the worker died here");
      }
    };
    expect((await erase()).status).toBe(204); // the rest is made up for
    expect((await send({ to: email })).status).toBe(422); // nobody is mailed from the first write on
    expect((await tracesOf(email)).length).toBe(1);
    await nextMinute(6 * 60_000);
    expect(await tracesOf(email)).toEqual([]);
    const lift = () =>
      owner.post(`${path}/erasures/lift`, { email, consent: "asked us on the phone" });
    expect((await lift()).status).toBe(409);
    const late = logEntry(news.projectId, { toEmail: email, sentAt: Date.now() + clock.aheadMs });
    await runBatch(deps.db, appendLog(deps, news.projectId, [late]));
    const refused = { project_id: news.projectId, email, days: 1, by_report: 1 };
    await insertRow("soft_bounces", { ...refused, first_day: 1, last_day: 1 });
    await nextMinute();
    expect((await tracesOf(email)).length).toBe(2);
    await nextMinute(HOUR);
    expect(await tracesOf(email)).toEqual([]);
    expect((await erasures(path)).body).toEqual({ total: 1, running: 0 });
    const [row] = await allRows(
      "select * from erased_addresses where project_id = ?",
      news.projectId,
    );
    expect(row).toMatchObject({ work_sealed: null, position: null, due_at: null });

    expect((await owner.post(`${path}/subscribers`, { email })).status).toBe(409);
    expect((await lift()).status).toBe(204);
    expect((await lift()).status).toBe(404);
    expect((await owner.post(`${path}/subscribers`, { email })).status).toBe(201);
    expect((await send({ to: email })).status).toBe(200);
  });

  it("that is requested again by address still finds mails to a former one", async () => {
    const { path, email, id, erase, ...news } = await newPerson();
    const former = { toEmail: `old-${email}`, sentAt: 1, subscriberId: id };
    await runBatch(deps.db, appendLog(deps, news.projectId, [logEntry(news.projectId, former)]));
    service.d1.before = (statements) => {
      if (statements.some((text) => text.includes("update log_entries set to_email"))) {
        service.d1.before = undefined;
        throw new Error("the worker died here");
      }
    };
    expect((await erase()).status).toBe(204);
    expect((await tracesOf(email)).length).toBe(1);
    expect((await owner.post(`${path}/erasures`, { email })).status).toBe(204);
    expect(await tracesOf(email)).toEqual([]);
  });

  it("stores nothing about the person from outcomes that waited in a queue for hours", async () => {
    const { email, id, erase, projectId } = await newPerson();
    const other = `${unique("other")}@any.test`;
    expect((await erase()).status).toBe(204);
    await nextMinute(2 * HOUR);
    const hook = await newWebhook(projectId, ["email.bounced", "email.sent"]);
    const facts = { subject: "Hello Ann Example", templateId: null, tags: { to: email } };
    const gone = {
      email,
      status: "bounced",
      error: `550 ${email}`,
      reason: "user_unknown",
    } as const;
    const sent = { email: other, status: "sent", error: null } as const;
    const message = {
      type: "outcome",
      projectId,
      at: Date.now() + clock.aheadMs - 5 * HOUR,
      operation: null,
    } as const;
    const own = { ...facts, logId: deps.newId(), subscriberId: id };
    const copied = { ...facts, tags: null, logId: deps.newId(), subscriberId: null };
    await recordLate(deps, { ...message, mail: own, outcome: { main: gone, copies: [] } });
    await recordLate(deps, { ...message, mail: copied, outcome: { main: sent, copies: [gone] } });
    expect(await tracesOf(email)).toEqual([]);
    expect(await hook.types()).toEqual(["email.bounced", "email.sent"]);
    const entries = await allRows(
      "select to_email, status, error, copies from logged_mails where project_id = ? order by to_email",
      projectId,
    );
    expect(entries).toEqual([
      { to_email: "", status: "bounced", error: null, copies: null },
      { to_email: other, status: "sent", error: null, copies: null },
    ]);
    expect(await allRows("select 1 from suppressions where project_id = ?", projectId)).toEqual([]);
  });

  it("of a person with mails of former subscriptions and an address found only in the log finds them all", async () => {
    const { path, email, id, ...news } = await newPerson();
    const mails = [
      logEntry(news.projectId, { toEmail: email, sentAt: 1, broadcastId: crypto.randomUUID() }),
      logEntry(news.projectId, { toEmail: `old-${email}`, sentAt: 1, subscriberId: id }),
    ];
    await runBatch(deps.db, appendLog(deps, news.projectId, mails));
    expect((await owner.delete(`${path}/subscribers/${id}?erase=true`)).status).toBe(204);
    expect(await tracesOf(email)).toEqual([]);
    const stranger = `${unique("log")}@any.test`;
    await runBatch(
      deps.db,
      appendLog(deps, news.projectId, [logEntry(news.projectId, { toEmail: stranger, sentAt: 1 })]),
    );
    expect((await owner.post(`${path}/erasures`, { email: stranger })).status).toBe(204);
    expect(await tracesOf(stranger)).toEqual([]);
  });

  it("stores no visitor of later opens and clicks, and sends none to webhooks", async () => {
    const { email, send, erase, ...news } = await newPerson();
    const { body } = await send({ to: email });
    await erase();
    const hook = await newWebhook(news.projectId);
    const visit = { ipAddress: "192.0.2.98" };
    const at = Date.now();
    await recordEvents(deps, [
      { ...trackingEvent("open", body.id, at), ...visit },
      { ...trackingEvent("click", body.id, at + 1), ...visit },
    ]);
    expect(await tracesOf("192.0.2.98")).toEqual([]);
    expect(await hook.types()).toEqual([]);
    expect(await news.stats()).toMatchObject({ opened: 1, clicked: 1 });
  });
});
