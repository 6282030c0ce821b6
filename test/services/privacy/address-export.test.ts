/* Everything about one address, and how long visits keep IP addresses. */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { systemContext } from "../../../src/context.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { appendLog, broadcastLogId } from "../../../src/services/email-log/index.ts";
import { uuidAt } from "../../../src/lib/ids.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { exportForReader } from "../../../src/http/public/reader-export.ts";
import { saveAudienceSettings, selectProject } from "../../../src/services/projects/index.ts";
import { readPreferences } from "../../../src/services/preferences/index.ts";
import { logEntry } from "../../support/log-entry.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { createService, unique } from "../../support/service.ts";
import { EVERY_FIVE_MINUTES } from "../../support/times.ts";
import { trackingEvent } from "../../support/tracking/mails.ts";

let aheadMs = 0;
const service = createService({ WEBHOOK_QUEUE }, { now: () => Date.now() + aheadMs });
const owner = await service.newOwner();
const deps = await service.deps();

const DAY = 86_400_000;

interface Export {
  email: string | null;
  subscriber: { id: string } | null;
  suppression: object | null;
  consents: { topics: object[]; history: object[] } | null;
  mails: { id: string; clicks: { url: string }[]; opens: object[] }[];
  next: string | null;
}

/** Puts a broadcast into a project; returns what makes the ids of its mails. */
async function newBroadcast(projectId: string, createdAt: number) {
  const id = deps.newId();
  const key = { logKey: unique("key"), createdAt };
  await insertRow("broadcasts", {
    id,
    project_id: projectId,
    subject: "s",
    html_body: "",
    text_body: "",
    status: "active",
    state: "done",
    log_key: key.logKey,
    cutoff_id: "",
    planned_id: "",
    plan_due_at: 0,
    created_at: createdAt,
  });
  return { id, key };
}

describe("an export of an address", () => {
  it("contains the subscriber, its consents, suppression, and every mail once with its visits, in pages", async () => {
    const project = await owner.newProject();
    const path = `/projects/${project.id}`;
    const email = `${unique("ann")}@takes-mail.test`;
    aheadMs = -6 * DAY;
    const { body: subscriber } = await owner.post<{ id: string }>(`${path}/subscribers`, { email });
    aheadMs = 0;
    await owner.post(`${path}/topics`, { name: "Digest", description: "" });
    await owner.put(`${path}/subscribers/${subscriber.id}/topics`, { Digest: "subscribed" });
    const steps = `insert into consent_events (project_id, subscriber_id, id, action, by, at, ip_address, user_agent, form_text)
      select ?, ?, value, 'subscribed', 'api', 1, '', '', '' from json_each(?)`;
    const ids = JSON.stringify(Array.from({ length: 250 }, (_, n) => `${n}`));
    await allRows(steps, project.id, subscriber.id, ids);
    await owner.post(`${path}/suppressions`, { emails: [email] });
    const at = Date.now() - 5 * DAY;
    const direct = [0, 1, 2].map((n) =>
      logEntry(project.id, { toEmail: email, sentAt: at + n, subject: `No. ${n}` }),
    );
    const ofBroadcasts = [];
    for (const n of [0, 1, 2]) {
      const { id: broadcastId, key } = await newBroadcast(project.id, at + n);
      const id = broadcastLogId(key, subscriber.id);
      ofBroadcasts.push(logEntry(project.id, { id, broadcastId, toEmail: email, sentAt: at + n }));
    }
    const others = [logEntry(project.id, { sentAt: at, toEmail: `x${email}` })];
    await runBatch(deps.db, appendLog(deps, project.id, [...direct, ...ofBroadcasts, ...others]));
    const clicked = direct[1]?.id ?? "";
    await recordEvents(deps, [
      trackingEvent("open", clicked, at + 1_000),
      trackingEvent("click", clicked, at + 2_000),
    ]);

    const pages: Export[] = [];
    let after = "";
    do {
      service.d1.reset();
      const { body } = await owner.get<Export>(
        `${path}/subscribers/${subscriber.id}/export?limit=2&after=${after}`,
      );
      expect(service.d1.roundTrips).toBeLessThanOrEqual(7);
      pages.push(body);
      after = body.next ?? "";
    } while (after !== "");
    const entries = "select target_type, target_id, metadata from audit_entries where action = ?";
    expect(await allRows(entries, "subscriber.export")).toEqual([
      { target_type: "subscriber", target_id: subscriber.id, metadata: "{}" },
    ]);
    expect(pages[0]).toMatchObject({
      email,
      subscriber: { id: subscriber.id },
      suppression: { email, reason: "manual" },
      consents: {
        topics: [{ name: "Digest", state: "subscribed", by: "member" }],
        history: expect.arrayContaining([
          expect.objectContaining({ topic_name: "Digest", action: "subscribed" }),
        ]),
      },
    });
    expect(pages[0]?.consents?.history).toHaveLength(251);
    expect(pages.slice(1).every((page) => page.email === null && page.consents === null)).toBe(
      true,
    );
    const mails = pages.flatMap((page) => page.mails);
    const wanted = [...direct, ...ofBroadcasts].map(({ id }) => id);
    expect(mails.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
    expect(mails.find(({ id }) => id === clicked)).toMatchObject({
      opens: [{ ip_address: "192.0.2.7", user_agent: expect.stringContaining("Firefox") }],
      clicks: [{ ip_address: "192.0.2.7", url: expect.stringContaining("https://") }],
    });
    const byEmail = await owner.get<Export>(`${path}/address-export?email=${email}`);
    expect(byEmail.body).toMatchObject({ email, subscriber: { id: subscriber.id } });
    expect(byEmail.body.mails.map(({ id }) => id).toSorted()).toEqual(
      direct.map(({ id }) => id).toSorted(),
    );
  });

  it("of an address contains no mail to a former one, and the download of its reader is bounded", async () => {
    const { id: projectId } = await owner.newProject();
    const path = `/projects/${projectId}`;
    const [a, b] = [`${unique("a")}@takes-mail.test`, `${unique("b")}@takes-mail.test`];
    const { body: subscriber } = await owner.post<{ id: string }>(`${path}/subscribers`, {
      email: a,
    });
    const now = Date.now();
    const mailOf = async (toEmail: string, sentAt: number) => {
      const { id: broadcastId, key } = await newBroadcast(projectId, sentAt);
      const id = broadcastLogId(key, subscriber.id);
      const entry = logEntry(projectId, { id, broadcastId, toEmail, sentAt });
      await runBatch(deps.db, appendLog(deps, projectId, [entry]));
      return id;
    };
    const toA = await mailOf(a, now);
    await owner.request("PATCH", `${path}/subscribers/${subscriber.id}`, { email: b });
    const toB = [await mailOf(b, now + 2), await mailOf(b, now + 1)];
    const beforeJoining = await mailOf(b, now - DAY);
    const idsAt = async (start: string) => {
      const ids: string[] = [];
      for (let after: string | null = ""; after !== null;) {
        const { body }: { body: Export } = await owner.get<Export>(`${start}after=${after}`);
        ids.push(...body.mails.map(({ id }) => id));
        after = body.next;
      }
      return ids.toSorted();
    };
    expect(await idsAt(`${path}/address-export?email=${b}&`)).toEqual(toB.toSorted());
    const whole = await idsAt(`${path}/subscribers/${subscriber.id}/export?`);
    expect(whole).toEqual([toA, ...toB].toSorted());
    expect(whole).not.toContain(beforeJoining);

    const link = { projectId, subscriberId: subscriber.id, addressMark: "" };
    const reader = await readPreferences(deps, link);
    if (!reader) throw new Error("no reader");
    const download = async (bounds: { perPage: number; pages: number }) => {
      let text = "";
      for await (const part of exportForReader(systemContext(deps, "test"), reader, bounds))
        text += new TextDecoder().decode(part);
      const { mails, is_complete } = JSON.parse(text) as Export & { is_complete: boolean };
      return [mails.map(({ id }) => id).toSorted(), is_complete];
    };
    // The first page has the mails outside of broadcasts: none.
    service.d1.reset();
    expect(await download({ perPage: 2, pages: 100 })).toEqual([toB.toSorted(), true]);
    expect(service.d1.roundTrips).toBeLessThanOrEqual(11);
    expect(await download({ perPage: 2, pages: 2 })).toEqual([expect.any(Array), false]);
  });

  it("contains all clicks of a mail in bounded pages, and each other mail once, as does the download", async () => {
    const { id: projectId } = await owner.newProject();
    const path = `/projects/${projectId}`;
    const email = `${unique("ann")}@takes-mail.test`;
    const { body: subscriber } = await owner.post<{ id: string }>(`${path}/subscribers`, { email });
    const at = Date.now();
    const direct = [0, 1, 2].map((n) => logEntry(projectId, { toEmail: email, sentAt: at + n }));
    const ofBroadcasts = [];
    for (const sentAt of [at + 1, at + 2, at + 3]) {
      const { id: broadcastId, key } = await newBroadcast(projectId, sentAt);
      const id = broadcastLogId(key, subscriber.id);
      ofBroadcasts.push(logEntry(projectId, { id, broadcastId, toEmail: email, sentAt }));
    }
    const mails = [...direct, ...ofBroadcasts].map(({ id }) => id);
    await runBatch(deps.db, appendLog(deps, projectId, [...direct, ...ofBroadcasts]));
    // The second mail of each kind has more than one page of clicks.
    const clicksOf = [2, 1_150, 100, 0, 101, 3];
    for (const [n, id] of mails.entries())
      await deps.db
        .run(sql`insert into email_clicks (log_id, id, url, user_agent, ip_address, class, clicked_at)
        with recursive n as (select 1 as i union all select i + 1 from n where i < ${clicksOf[n]})
        select ${id}, printf('%05d', i), 'https://any.test/' || i, '', '', 'human', i from n where i <= ${clicksOf[n]}`);
    const urls = (count = 0) =>
      Array.from({ length: count }, (_, n) => `https://any.test/${n + 1}`);
    const wanted = new Map(mails.map((id, n) => [id, urls(clicksOf[n])]));

    const found = new Map<string, string[]>();
    let last = "";
    let most = 0;
    for (let after: string | null = ""; after !== null;) {
      service.d1.reset();
      const { body }: { body: Export } = await owner.get<Export>(
        `${path}/subscribers/${subscriber.id}/export?after=${after}`,
      );
      expect([service.d1.roundTrips <= 7, service.d1.rowsRead < 1_500]).toEqual([true, true]);
      for (const { id, clicks } of body.mails) {
        if (id !== last) expect(found.has(id)).toBe(false);
        found.set(id, [...(found.get(id) ?? []), ...clicks.map(({ url }) => url)]);
        last = id;
      }
      most = Math.max(most, body.mails.flatMap(({ clicks }) => clicks).length);
      after = body.next;
    }
    expect(found).toEqual(wanted);
    expect(most).toBe(1_000);

    const reader = await readPreferences(deps, {
      projectId,
      subscriberId: subscriber.id,
      addressMark: "",
    });
    if (!reader) throw new Error("no reader");
    let text = "";
    for await (const part of exportForReader(systemContext(deps, "test"), reader))
      text += new TextDecoder().decode(part);
    const whole = JSON.parse(text) as Export & { is_complete: boolean };
    expect(whole.is_complete).toBe(true);
    expect(whole.mails.map(({ id, clicks }) => [id, clicks.map(({ url }) => url)])).toEqual([
      ...found,
    ]);
  });

  it("shows nothing of another project, and 404 for its subscriber", async () => {
    const [mine, theirs] = [await owner.newProject(), await owner.newProject()];
    const email = `${unique("ann")}@takes-mail.test`;
    const { body } = await owner.post<{ id: string }>(`/projects/${theirs.id}/subscribers`, {
      email,
    });
    const entry = logEntry(theirs.id, { toEmail: email, sentAt: Date.now() });
    await runBatch(deps.db, appendLog(deps, theirs.id, [entry]));
    expect((await owner.get(`/projects/${mine.id}/subscribers/${body.id}/export`)).status).toBe(
      404,
    );
    expect((await owner.get(`/projects/${mine.id}/address-export?email=${email}`)).body).toEqual({
      email,
      subscriber: null,
      consents: null,
      suppression: null,
      soft_bounces: null,
      unverified_report: null,
      events: [],
      automation_runs: [],
      mails: [],
      next: null,
    });
  });
});

describe("IP addresses of visits", () => {
  const addressesOf = async (logId: string) => {
    const [mail] = await allRows("select opened_ip from logged_mails where id = ?", logId);
    const clicks = await allRows("select ip_address from email_clicks where log_id = ?", logId);
    return [mail?.["opened_ip"], ...clicks.map((row) => row["ip_address"])];
  };
  const visit = async (projectId: string, daysAgo: number) => {
    const at = Date.now() - daysAgo * DAY;
    const entry = logEntry(projectId, { id: uuidAt(at - 10), sentAt: at - 10 });
    await runBatch(deps.db, appendLog(deps, projectId, [entry]));
    await recordEvents(deps, [
      trackingEvent("open", entry.id, at),
      trackingEvent("click", entry.id, at),
    ]);
    return entry.id;
  };

  it("are removed after 30 days, or after click_ip_days of the project, by a scan that reads no newer mail", async () => {
    const [usual, longer] = [await owner.newProject(), await owner.newProject()];
    const setting = `/projects/${longer.id}/audience-settings`;
    await owner.put(setting, { click_ip_days: 60 });
    const old = [await visit(usual.id, 31), await visit(longer.id, 61)];
    const kept = [await visit(usual.id, 28), await visit(longer.id, 31)];
    await runScheduled(deps, EVERY_FIVE_MINUTES);
    for (const id of old) expect(await addressesOf(id)).toEqual([null, ""]);
    for (const id of kept) expect(await addressesOf(id)).toEqual(["192.0.2.7", "192.0.2.7"]);

    await owner.put(setting, { click_ip_days: 30 });
    aheadMs += DAY;
    const costOfRun = async () => {
      service.d1.reset();
      await runScheduled(deps, EVERY_FIVE_MINUTES);
      return service.d1.rowsRead;
    };
    await costOfRun();
    expect(await addressesOf(kept[1] ?? "")).toEqual([null, ""]);
    expect(await addressesOf(kept[0] ?? "")).toEqual(["192.0.2.7", "192.0.2.7"]);
    aheadMs += 2 * DAY;
    const before = await costOfRun();
    expect(await addressesOf(kept[0] ?? "")).toEqual([null, ""]);
    for (let n = 0; n < 10; n += 1) await visit(usual.id, 20);
    aheadMs += DAY;
    expect(await costOfRun()).toBeLessThanOrEqual(before + 5);
  });

  it("are also removed from old mails after a project shortens its retention", async () => {
    const author = await service.newOwner(); // the session of the other one has ended
    const project = await author.newProject();
    const setting = `/projects/${project.id}/audience-settings`;
    await author.put(setting, { click_ip_days: 60 });
    const now = Date.now() + aheadMs;
    const entry = logEntry(project.id, { id: uuidAt(now - 80 * DAY), sentAt: now - 80 * DAY });
    await runBatch(deps.db, appendLog(deps, project.id, [entry]));
    await recordEvents(deps, [trackingEvent("click", entry.id, now - 41 * DAY)]);
    aheadMs += DAY;
    await runScheduled(deps, EVERY_FIVE_MINUTES);
    expect(await addressesOf(entry.id)).toEqual([null, "192.0.2.7"]);
    await author.put(setting, { click_ip_days: 30 });
    aheadMs += DAY;
    await runScheduled(deps, EVERY_FIVE_MINUTES);
    expect(await addressesOf(entry.id)).toEqual([null, ""]);
  });

  it("of visits recorded too late are not sent to webhooks, and removed", async () => {
    const author = await service.newOwner(); // the session of the other one has ended
    const project = await author.newProject();
    const hook = await newWebhook(project.id, ["email.clicked"]);
    await author.put(`/projects/${project.id}/audience-settings`, { click_ip_days: 1 });
    const at = Date.now() + aheadMs - 2 * DAY;
    const entry = logEntry(project.id, { id: uuidAt(at - 10), sentAt: at - 10 });
    await runBatch(deps.db, appendLog(deps, project.id, [entry]));
    await recordEvents(deps, [
      trackingEvent("open", entry.id, at),
      trackingEvent("click", entry.id, at),
    ]);
    const [payload] = await hook.payloads();
    expect(payload?.data).toMatchObject({ log_id: entry.id, url: expect.any(String) });
    expect(payload?.data).not.toHaveProperty("ip");
    aheadMs += DAY;
    await runScheduled(deps, EVERY_FIVE_MINUTES);
    expect(await addressesOf(entry.id)).toEqual([null, ""]);
  });

  it("of clicks are never sent to webhooks by a project that keeps them for 0 days", async () => {
    const author = await service.newOwner();
    const project = await author.newProject();
    const hook = await newWebhook(project.id, ["email.clicked"]);
    await author.put(`/projects/${project.id}/audience-settings`, { click_ip_days: 0 });
    const at = Date.now() + aheadMs - 60_000;
    const entry = logEntry(project.id, { id: uuidAt(at), sentAt: at });
    await runBatch(deps.db, appendLog(deps, project.id, [entry]));
    await recordEvents(deps, [trackingEvent("click", entry.id, at + 30_000)]);
    const [payload] = await hook.payloads();
    expect(payload?.data).toMatchObject({ log_id: entry.id, url: expect.any(String) });
    expect(payload?.data).not.toHaveProperty("ip");
  });

  it("of clicks on late mails of a slow broadcast are removed by their own age", async () => {
    const project = await owner.newProject();
    const now = Date.now() + aheadMs;
    const click = async (startDays: number, clickDays: number) => {
      const id = uuidAt(now - startDays * DAY);
      const entry = logEntry(project.id, { id, sentAt: now - (clickDays + 1) * DAY });
      await runBatch(deps.db, appendLog(deps, project.id, [entry]));
      await recordEvents(deps, [trackingEvent("click", id, now - clickDays * DAY)]);
      return id;
    };
    const [late, soon] = [await click(40, 1), await click(30, 1)];
    await runScheduled(deps, EVERY_FIVE_MINUTES);
    for (const id of [late, soon]) expect(await addressesOf(id)).toEqual([null, "192.0.2.7"]);
    aheadMs += 31 * DAY;
    await runScheduled(deps, EVERY_FIVE_MINUTES);
    for (const id of [late, soon]) expect(await addressesOf(id)).toEqual([null, ""]);
  });

  it("are removed from old mails after two shortenings, and after one that no scan has seen", async () => {
    const project = await owner.newProject();
    const walk = async (days: number) => {
      aheadMs += days * DAY;
      await runScheduled(deps, EVERY_FIVE_MINUTES);
    };
    const [row] = await selectProject(deps.db, project.id);
    if (!row) throw new Error("no project");
    // Without a session, which would end on the way.
    const keep = (clickIpDays: number) =>
      saveAudienceSettings(systemContext(deps, "test"), row, { clickIpDays });
    const click = async (mailDays: number, clickDays: number) => {
      const now = Date.now() + aheadMs;
      const sentAt = now - mailDays * DAY;
      const entry = logEntry(project.id, { id: uuidAt(sentAt), sentAt });
      await runBatch(deps.db, appendLog(deps, project.id, [entry]));
      await recordEvents(deps, [trackingEvent("click", entry.id, now - clickDays * DAY)]);
      return entry.id;
    };
    await keep(60);
    await walk(2);
    await keep(50);
    await walk(45);
    const middle = await click(49, 0);
    await keep(30);
    await walk(25);
    expect(await addressesOf(middle)).toEqual([null, "192.0.2.7"]);
    await walk(7);
    expect(await addressesOf(middle)).toEqual([null, ""]);

    await walk(80);
    await keep(60);
    const unseen = await click(71, 31);
    expect(await addressesOf(unseen)).toEqual([null, "192.0.2.7"]);
    await keep(30);
    await walk(2);
    expect(await addressesOf(unseen)).toEqual([null, ""]);
  });
});
