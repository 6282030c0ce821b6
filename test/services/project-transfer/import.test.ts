/* The import of an exported project elsewhere (API reference §9.9). */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { systemContext } from "../../../src/context.ts";
import { runBatch } from "../../../src/db/client.ts";
import { readExport } from "../../../src/http/project/project-transfer/read-export.ts";
import { ROW_SCHEMAS } from "../../../src/http/project/project-transfer/row-schemas.ts";
import { appendLog, emptyAddresses } from "../../../src/services/email-log/index.ts";
import { importProject } from "../../../src/services/project-transfer/index.ts";
import { selectProject } from "../../../src/services/projects/index.ts";
import { continuePurges } from "../../../src/services/project-removal/index.ts";
import { uuidAt } from "../../../src/lib/ids.ts";
import { logEntry } from "../../support/log-entry.ts";
import {
  changed,
  fileOf,
  rowsOfKind,
  transferFiles,
  type Line,
} from "../../support/transfer-files.ts";
import { LONG_AGO, newFullProject, rowsOf } from "../../support/transfer-world.ts";
import { purgeTopics } from "../../../src/services/topics/index.ts";
import { allRows, type Row } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { EMPTY_PLAN, storeBroadcast } from "../../support/stored-broadcasts.ts";
import { DAY } from "../../support/times.ts";

const service = createService();
const owner = await service.newOwner();

const SMTP = {
  smtp_host: "127.0.0.1",
  smtp_port: 2525,
  smtp_user: "user",
  smtp_password: "secret",
  from_name: "Sender",
  from_email: "sender@postrider.test",
};

async function* listed<Item>(items: Item[]) {
  yield* items;
}

const { exportOf, forget, load, newExport } = transferFiles(service, owner);

describe("POST /projects/{id}/import", () => {
  it("restores every row with its id, counts and totals, and ends what was in progress", async () => {
    const { before, lines } = await newExport();
    const { id } = await owner.newProject();
    const answer = await load(id, lines);
    expect(answer).toMatchObject({ status: 200, body: { done: true, rows: { subscribers: 3 } } });
    const after = await rowsOf(id);
    const [broadcast] = after["broadcasts"] ?? [];
    expect(broadcast).toMatchObject({ state: "cancelled", sent: 1, in_archive: 0 });
    expect(after["topics"]).toMatchObject([{ visibility: "private", public_archive: 1 }]);
    const ended = {
      state: "cancelled",
      plan_due_at: 0,
      decides_at: 0,
      finished_at: broadcast?.["finished_at"],
    };
    expect(after).toEqual({
      ...before,
      broadcasts: before["broadcasts"]?.map((row) => ({ ...row, ...ended })),
    });
    const settings = await owner.get(`/projects/${id}/audience-settings`);
    expect(settings.body).toMatchObject({ double_opt_in: true, form_text: "Yes, news." });
    const list = await owner.get<{ total: number }>(`/projects/${id}/subscribers`);
    expect(list.body.total).toBe(3);
    const noted = await allRows(
      "select action from audit_entries where scope_id = ? and action = 'project.import'",
      id,
    );
    expect(noted).toHaveLength(1);
  });

  it("imports conditions that have lost their topic, and the pre-flight says so", async () => {
    const { lines } = await newExport();
    const { id } = await owner.newProject();
    const where = "not topic:lost";
    const segments = changed(lines, "segments", { condition: where });
    expect(await load(id, segments)).toMatchObject({ status: 200 });
    const path = `/projects/${id}`;
    const list = await owner.get<{ segments: { id: string; where: string }[] }>(`${path}/segments`);
    const segment = list.body.segments.find((one) => one.where === where);
    const draft = await owner.post<{ id: string }>(`${path}/broadcasts`, {
      name: "n",
      segment_id: segment?.id,
    });
    const { body } = await owner.post(`${path}/broadcasts/${draft.body.id}/preflight`);
    expect(body["problems"]).toContainEqual(expect.objectContaining({ code: "unknown_topic" }));
  });

  it("imports the mail settings, and what templates say about tracking", async () => {
    const { id: from } = await owner.newProject();
    const settings = {
      senders: ["ann@acme.example"],
      send_headers: { "X-Stream": "a" },
      tracking: { opens: false, clicks: true },
      utm: { source: "shop" },
    };
    await owner.put(`/projects/${from}/mail-settings`, settings);
    const template = { name: "news", preheader: "Hi", tracking: { clicks: false } };
    await owner.post(`/projects/${from}/templates`, template);
    const lines = await exportOf(from);
    await forget(from);
    const { id } = await owner.newProject();
    expect(await load(id, changed(lines, "mail_settings", { senders: ["@"] }))).toMatchObject({
      status: 400,
    });
    expect(await load(id, lines)).toMatchObject({ status: 200 });
    expect((await owner.get(`/projects/${id}/mail-settings`)).body).toMatchObject(settings);
    expect((await owner.get(`/projects/${id}/templates`)).body).toMatchObject([template]);
  });

  it("imports drafts with all of their fields, and scheduled ones as drafts", async () => {
    const project = await newFullProject(service, owner);
    const { path, templateId, topicId } = project;
    const fields = {
      name: "May",
      topic_id: topicId,
      where: "tag:vip",
      variables: { city: "Bonn" },
      per_hour: 60,
      preview_text: "Hi {{name}}",
      tracking: { opens: false },
      utm: "off",
      from_name: "Ann",
      reply_to: "ann@reply.test",
      ab: { variants: [{ subject: "One" }, { from_name: "Ben", template_id: templateId }] },
    };
    const own = { subject: "Own", html_body: "<p>Own</p>" };
    await owner.post(`${path}/broadcasts`, { ...fields, ...own });
    const planned = { name: "June", template_id: templateId, send_at: "2099-01-05T10:00:00Z" };
    const { body: june } = await owner.post(`${path}/broadcasts`, planned);
    const started = await owner.post(`${path}/broadcasts/${String(june["id"])}/start`, {
      accept: ["empty_audience", "no_sender", "similar_broadcast"],
    });
    expect(started.status).toBe(202);
    const drafts = async (id: string) => {
      const at = `/projects/${id}/broadcasts?state=draft`;
      return (await owner.get<{ broadcasts: object[] }>(at)).body.broadcasts;
    };
    const [may] = await drafts(project.id);
    const lines = await exportOf(project.id);
    await forget(project.id);
    const { id } = await owner.newProject();
    const first = (change: object, plan: object = {}) =>
      changed(lines, "broadcasts", (row) =>
        row["name"] === "May" ? { ...change, plan: { ...Object(row["plan"]), ...plan } } : {},
      );
    const one = { subject: "x", fromName: null, templateId: null };
    const ab = { variants: [one, one], share: 20, waitHours: 4, by: "opens" };
    const faults: [object, object, string][] = [
      [{}, { replyTo: "ann" }, "replyTo"],
      [{}, { fromName: "A\nB" }, "fromName"],
      [{}, { previewText: "{{#if" }, "previewText"],
      [{}, { tracking: { opened: true } }, "tracking"],
      [{}, { utm: { source: "a\nb" } }, "utm"],
      [{ preheader: "{{#if" }, {}, "preheader"],
      [{}, { ab: { ...ab, by: "xopens" } }, "by"],
      [{}, { ab: { ...ab, waitHours: 721 } }, "waitHours"],
      [{}, { ab: { ...ab, variants: [one, { ...one, subject: "{{#if" }] } }, "subject"],
      [{}, { maxDelayMinutes: 43_201 }, "maxDelayMinutes"],
      [{}, { maxDelayMinutes: 0 }, "maxDelayMinutes"],
      [{}, { warmUpFirstDay: 10_000_001 }, "warmUpFirstDay"],
      [{}, { warmUpFirstDay: 0 }, "warmUpFirstDay"],
      [{}, { ab: { ...ab, variants: [one, { ...one, fromName: "A\nB" }] } }, "fromName"],
      [{ name: "A\u0007B" }, {}, "name"],
      [{ per_hour: 0 }, {}, "per_hour"],
      [{}, { where: `tag:${"x".repeat(2_000)}` }, "where"],
      [{ subject: "{{#if" }, {}, "subject"],
      [{}, { ab, timeZone: "Europe/Berlin" }, "ab"],
      [{ per_hour: 10_000_001 }, {}, "per_hour"],
      [{ html_body: "{{#if" }, {}, "html_body"],
    ];
    const schema = ROW_SCHEMAS.broadcasts;
    for (const [change, plan, field] of faults) {
      const results = rowsOfKind(first(change, plan), "broadcasts").map((row) =>
        schema.safeParse(row),
      );
      const paths = results.flatMap(
        ({ error }) => error?.issues.map(({ path }) => path.join(".")) ?? [],
      );
      expect(new Set(paths), field).toEqual(new Set([expect.stringContaining(field)]));
    }
    expect(await load(id, lines)).toMatchObject({ body: { rows: { broadcasts: 3 } } });
    expect(await drafts(id)).toMatchObject([
      { id: june["id"], name: "June", template_id: templateId, send_at: null, state: "draft" },
      { ...may, project_id: id },
    ]);
  });

  it("imports texts that break off within a character", async () => {
    const { id: from } = await owner.newProject();
    const { body: draft } = await owner.post(`/projects/${from}/broadcasts`, {
      name: "n",
      subject: "Hi \ud83d",
    });
    const deps = await service.deps();
    const earlier = [{ at: LONG_AGO, error: "451 \ud83d" }];
    await runBatch(deps.db, appendLog(deps, from, [logEntry(from, { sentAt: LONG_AGO, earlier })]));
    const lines = await exportOf(from);
    await forget(from);
    const { id } = await owner.newProject();
    expect(await load(id, lines)).toMatchObject({ body: { done: true } });
    const { body } = await owner.get(`/projects/${id}/broadcasts/${String(draft["id"])}`);
    expect(body).toMatchObject({ own_subject: "Hi \ufffd" });
    const [entry] = (await rowsOf(id))["log_entries"] ?? [];
    expect(entry).toMatchObject({ earlier: expect.stringContaining("451 \ufffd") });
  });

  it("keeps the result of an A/B test, even of one without a winner, and who was mailed when", async () => {
    for (const isDecided of [true, false]) {
      const { id: from, broadcastId } = await newFullProject(service, owner);
      if (!isDecided)
        await allRows(
          "update broadcasts set winner = null, variant_outcomes = null where id = ?",
          broadcastId,
        );
      const look = async (id: string) => {
        const preview = { where: "mailed:3d" };
        const at = `/projects/${id}`;
        const { body: trial } = await owner.get(`${at}/broadcasts/${broadcastId}/trial`);
        const { body: mailed } = await owner.post(`${at}/segments/preview`, preview);
        return { trial, count: mailed["count"] };
      };
      const before = await look(from);
      const mailed = isDecided ? 9 : 1;
      expect(before).toMatchObject({
        count: 1,
        trial: {
          winner: isDecided ? "B" : null,
          variants: [{ subject: "News", mailed }, { subject: "News!" }],
        },
      });
      const lines = await exportOf(from);
      await forget(from);
      const { id } = await owner.newProject();
      expect(await load(id, lines)).toMatchObject({ status: 200 });
      expect(await look(id)).toEqual(before);
      const copy = await owner.post(`/projects/${id}/broadcasts/${broadcastId}/resend`, {
        to: "joined",
      });
      expect(copy.body).toMatchObject({
        own_subject: isDecided ? "News!" : "News",
        variables: { issue: 7 },
      });
    }
  });

  it("keeps all reasons and settings of a broadcast, including those of its retry", async () => {
    const { id: from, ann, topicId } = await newFullProject(service, owner);
    const plan = {
      ...EMPTY_PLAN,
      subject: "No {{broadcast.issue}}",
      where: "tag:vip",
      warmUpFirstDay: 9,
      timeZone: "Asia/Tokyo",
      maxDelayMinutes: 30,
    };
    const { id: broadcastId } = await storeBroadcast(service, {
      project_id: from,
      name: "May",
      state: "done",
      subject: plan.subject,
      html_body: "<p>No {{broadcast.issue}}</p>",
      topic_id: topicId,
      audience_where: plan.where,
      where_at: LONG_AGO + 2,
      from_id: "00000000-0000-7000-8000-000000000001",
      variables: '{"issue":7}',
      per_hour: 60,
      plan: JSON.stringify(plan),
      cutoff_id: ann,
      planned_id: ann,
      failed: 1,
      total: 1,
      drafted_at: LONG_AGO,
      send_at: LONG_AGO + 1,
      created_at: LONG_AGO + 2,
      updated_at: LONG_AGO + 3,
      finished_at: LONG_AGO + 4,
    });
    const deps = await service.deps();
    const failed = { broadcastId, subscriberId: ann, status: "failed", error: "550" } as const;
    const entry = logEntry(from, { sentAt: LONG_AGO + 3, toEmail: "ann@list.test", ...failed });
    await runBatch(deps.db, appendLog(deps, from, [entry]));
    const look = async (id: string, which = broadcastId) => {
      const { body } = await owner.get(`/projects/${id}/broadcasts/${which}`);
      const columns = "plan, variables, per_hour, from_id, where_at, updated_at";
      const [row] = await allRows(`select ${columns} from broadcasts where id = ?`, which);
      return { ...body, project_id: "", row };
    };
    const before = await look(from);
    expect(before).toMatchObject({ name: "May", variables: { issue: 7 }, where: "tag:vip" });
    const lines = await exportOf(from);
    await forget(from);
    const { id } = await owner.newProject();
    expect(await load(id, lines)).toMatchObject({ body: { rows: { broadcasts: 2 } } });
    expect(await look(id)).toEqual(before);
    await owner.put(`/projects/${id}/smtp`, SMTP);
    const again = await owner.post(`/projects/${id}/broadcasts/${broadcastId}/resend`, {
      to: "joined",
    });
    expect(await look(id, String(again.body["id"]))).toMatchObject({
      variables: { issue: 7 },
      per_hour: 60,
      where: "tag:vip",
      row: { from_id: ann },
    });
  });

  it("accepts an export that lacks kinds and columns, as an earlier version would write it", async () => {
    const { before, lines } = await newExport();
    const isKept = (line: Line) => !line["broadcast_variants"] && !line["mailings"] && !line["end"];
    const old = changed(lines.filter(isKept), "broadcasts", {
      plan: undefined,
      winner: undefined,
      resumptions: undefined,
    });
    const { id } = await owner.newProject();
    expect(await load(id, [...old, { end: { lines: old.length + 1 } }])).toMatchObject({
      status: 200,
      body: { done: true, rows: { broadcasts: 1 } },
    });
    const after = await rowsOf(id);
    expect(after["broadcasts"]).toMatchObject([{ plan: null, winner: null, resumptions: 0 }]);
    expect(after["subscribers"]).toEqual(before["subscribers"]);
    expect(after["subscriber_mailings"]).toEqual([]);
  });

  it("keeps no IP addresses that exceed the project's retention", async () => {
    const { lines } = await newExport();
    const { id } = await owner.newProject();
    const opened = (_: unknown, n: number) => ({
      id: uuidAt(Date.now() - 40 * DAY),
      opened_at: Date.now() - (n === 0 ? 31 : 29) * DAY,
      opened_ip: "192.0.2.7",
    });
    expect(await load(id, changed(lines, "email_log", opened))).toMatchObject({ status: 200 });
    await emptyAddresses(await service.deps());
    const entries = await allRows<{ opened_ip: string | null }>(
      "select opened_ip from log_entries where project_id = unhex(?, '-') order by opened_at",
      id,
    );
    const [oldest, ...others] = entries.map((row) => row.opened_ip);
    expect(oldest).toBeNull();
    expect(new Set(others)).toEqual(new Set(["192.0.2.7"]));
  });

  it("resumes where it stopped, and adds nothing twice", async () => {
    const { before, lines } = await newExport();
    const { id } = await owner.newProject();
    const half = lines.slice(
      0,
      lines.findIndex((line) => line["segments"]),
    );
    const cut = await load(id, half);
    expect(cut).toMatchObject({ status: 400, body: { code: "export_incomplete" } });
    await owner.post(`/projects/${id}/waitlist`, { email: "new@list.test" });
    let inserts = 0;
    service.d1.before = async (statements) => {
      inserts += statements.filter((text) => text.includes("insert into subscribers")).length;
    };
    for (const _round of [1, 2, 3])
      expect(await load(id, lines)).toMatchObject({ status: 200, body: { done: true } });
    service.d1.before = undefined;
    expect(inserts).toBe(0);
    const after = await rowsOf(id);
    const { counters, subscribers, consent_events: history, ...others } = before;
    expect(after).toMatchObject({ ...others, broadcasts: [{}] });
    expect(after["subscribers"]).toHaveLength((subscribers?.length ?? 0) + 1);
    expect(after["consent_events"]).toEqual(expect.arrayContaining(history ?? []));
    expect(after["counters"]).toEqual([
      { ...counters?.[0], subscribers_pending: Number(counters?.[0]?.["subscribers_pending"]) + 1 },
    ]);
    const other = await newExport();
    const refused = await load(id, other.lines);
    expect(refused).toMatchObject({ status: 409, body: { code: "project_not_empty" } });
  });

  it("keeps settings that were changed after it, if it is repeated", async () => {
    const { lines } = await newExport();
    const { id } = await owner.newProject();
    const path = `/projects/${id}/audience-settings`;
    await load(id, lines);
    await owner.put(path, { double_opt_in: false });
    expect(await load(id, lines)).toMatchObject({ body: { done: true } });
    expect((await owner.get(path)).body).toMatchObject({ double_opt_in: false, language: "de" });
  });

  it("stops after the writes that a call may make, and the next call continues", async () => {
    const { before, lines } = await newExport();
    const { id } = await owner.newProject();
    const deps = await service.deps();
    const [project] = await selectProject(deps.db, id);
    if (!project) throw new Error("no project");
    const call = () =>
      importProject(systemContext(deps, "test"), project, readExport(listed([fileOf(lines)])), 4);
    const calls = [];
    while (!calls.at(-1)?.isFinished) calls.push(await call());
    expect(calls).toHaveLength(5);
    expect(calls.at(-1)?.rows).toMatchObject({ suppressions: 1, subscribers: 3, email_log: 3 });
    const after = await rowsOf(id);
    expect(after).toMatchObject({ ...before, broadcasts: [{ state: "cancelled" }] });
  });

  it("imports suppressions and consents before subscribers, so an interrupted one mails none of them", async () => {
    const { before, lines } = await newExport();
    const last = lines.findLastIndex((line) => line["subscribers"]);
    const { id } = await owner.newProject();
    const cut = await load(id, lines.slice(0, last + 1));
    expect(cut).toMatchObject({ status: 400, body: { code: "export_incomplete" } });
    const after = await rowsOf(id);
    for (const table of ["subscribers", "suppressions", "topic_consents", "consent_events"])
      expect(after[table]).toEqual(before[table]);
    const mail = { to: "gone@list.test", subject: "Hi", html_body: "<p>Hi</p>" };
    await owner.put(`/projects/${id}/smtp`, SMTP);
    expect(await owner.post(`/projects/${id}/send`, mail)).toMatchObject({ status: 422 });
  });

  it("is refused once a person was erased, so that it brings nobody back", async () => {
    const { lines } = await newExport();
    const { id } = await owner.newProject();
    const last = lines.findLastIndex((line) => line["consent_events"]);
    await load(id, lines.slice(0, last + 1));
    expect((await owner.post(`/projects/${id}/erasures`, { email: "ann@list.test" })).status).toBe(
      204,
    );
    expect(await load(id, lines)).toMatchObject({
      status: 409,
      body: { code: "project_not_empty" },
    });
    expect((await rowsOf(id))["subscribers"]).toEqual([]);
  });

  it("counts each person once, even if a file repeats them", async () => {
    const { before, lines } = await newExport();
    const doubled = lines.flatMap((line) => {
      const [kind = ""] = Object.keys(line);
      if (kind === "end") return [{ end: { lines: lines.length + 8 } }];
      if (kind !== "subscribers" && kind !== "suppressions") return [line];
      return [
        line,
        line,
        { [kind]: { ...line[kind], email: `twin${lines.indexOf(line)}@list.test` } },
      ];
    });
    const { id } = await owner.newProject();
    expect(await load(id, doubled)).toMatchObject({ body: { done: true } });
    const after = await rowsOf(id);
    expect([after["subscribers"], after["suppressions"]].map((rows) => rows?.length)).toEqual([
      3, 1,
    ]);
    expect(after["counters"]).toEqual(before["counters"]);
  });

  it("waits until the consents of the exported project are deleted, and keeps its own", async () => {
    const project = await newFullProject(service, owner);
    const lines = await exportOf(project.id);
    const before = (await rowsOf(project.id))["topic_consents"];
    await owner.delete(`/projects/${project.id}`);
    const deps = await service.deps();
    while ((await allRows("select 1 from project_purges")).length > 0) await continuePurges(deps);
    const { id } = await owner.newProject();
    expect(await load(id, lines)).toMatchObject({
      status: 409,
      body: { code: "ids_of_other_project", params: { kind: "topics" } },
    });
    await purgeTopics(deps);
    expect(await load(id, lines)).toMatchObject({ body: { done: true } });
    await purgeTopics(deps);
    const after = (await rowsOf(id))["topic_consents"];
    expect([after?.length, after]).toEqual([expect.toSatisfy((n) => n > 0), before]);
  });

  it("accepts only an empty project, and no file of one that is still here", async () => {
    const project = await newFullProject(service, owner);
    const lines = await exportOf(project.id);
    const theirs = await rowsOf(project.id);
    const { id } = await owner.newProject();
    const nothing = await rowsOf(id);
    const beside = await load(id, lines);
    expect(beside).toMatchObject({ status: 409, body: { code: "ids_of_other_project" } });
    expect([await rowsOf(id), await rowsOf(project.id)]).toEqual([nothing, theirs]);
    await forget(project.id);
    const full = await newFullProject(service, owner);
    expect(await load(full.id, lines)).toMatchObject({
      status: 409,
      body: { error: /not empty/u },
    });
    expect(await load(id, lines)).toMatchObject({ status: 200 });
    const twin = await owner.newProject();
    expect(await load(twin.id, lines)).toMatchObject({ status: 409 });
    expect((await rowsOf(twin.id))["subscribers"]).toEqual([]);
  });

  it("rejects an id of another project, and leaves that row unchanged", async () => {
    const victim = await newFullProject(service, owner);
    const theirs = await rowsOf(victim.id);
    const tables = {
      templates: "templates",
      subscribers: "subscribers",
      suppressions: "suppressions",
      broadcasts: "broadcasts",
      email_log: "log_entries",
    };
    for (const [kind, table] of Object.entries(tables)) {
      const { lines } = await newExport();
      const { id } = await owner.newProject();
      const taken = String(theirs[table]?.[0]?.["id"]).toLowerCase();
      const dashed = taken.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
      const wanted = kind === "suppressions" ? taken.toUpperCase() : dashed;
      const forged = changed(lines, kind, (_, n) => (n === 0 ? { id: wanted } : {}));
      expect(await load(id, forged), kind).toMatchObject({
        status: 409,
        body: { code: "ids_of_other_project", params: { kind } },
      });
      expect((await rowsOf(id))[table]).toEqual([]);
    }
    const { lines } = await newExport();
    const foreign = [...changed(lines, "topic_consents", { topic_id: victim.topicId })];
    const { id } = await owner.newProject();
    expect(await load(id, foreign)).toMatchObject({ body: { done: true } });
    expect((await rowsOf(id))["topic_consents"]).toEqual([]);
    expect(await rowsOf(victim.id)).toEqual(theirs);
  });

  it("validates every value by the rules of the calls that usually write it, and names the line", async () => {
    const { lines } = await newExport();
    const at = (kind: string) => lines.findIndex((line) => line[kind]) + 1;
    const plan = { ...Object(rowsOfKind(lines, "broadcasts")[0]?.["plan"]) };
    const faults: [string, Row, string][] = [
      ["subscribers", { email: "a\r\nnn@list.test" }, "email"],
      ["subscribers", { status: "admin" }, "status"],
      ["subscribers", { name: "\u202e" }, "name"],
      ["subscribers", { tags: ["a,b"] }, "tags"],
      ["subscribers", { id: "x" }, "id"],
      ["subscribers", { created_at: -1 }, "created_at"],
      ["segments", { condition: "((" }, "condition"],
      ["topics", { name: crypto.randomUUID() }, "name"],
      ["email_log", { tags: { ["x".repeat(65)]: "7" } }, "tags"],
      ["email_log", { gadget: 1 }, "gadget"],
      ["export", { version: 3 }, "version"],
      ["broadcasts", { winner: 5 }, "winner"],
      ["broadcasts", { kind: "batch" }, "kind"],
      ["broadcasts", { plan: { ...plan, ab: { ...plan.ab, waitHours: 721 } } }, "waitHours"],
      ["mailings", { ids: ["x"] }, "ids"],
      ["templates", { subject: "{{#if" }, "subject"],
      ["template_versions", { subject: "{{#if" }, "subject"],
      ["end", { lines: "x" }, "lines"],
    ];
    for (const [kind, change, field] of faults) {
      const reading = (async () => {
        const file = fileOf(changed(lines, kind, change));
        for await (const line of readExport(listed([file]))) expect(line.is).not.toBe("none");
      })();
      const error = new RegExp(`^line ${at(kind)}: .*${field}`, "u");
      await expect(reading).rejects.toThrow(error);
    }
    const [, [kind, change] = ["", {}]] = faults;
    const { id } = await owner.newProject();
    expect(await load(id, changed(lines, kind, change))).toMatchObject({
      status: 400,
      body: { error: new RegExp(`^line ${at(kind)}: status`, "u") },
    });
    expect(await load(id, lines)).toMatchObject({ status: 200, body: { done: true } });
  });

  it("refuses a file that is damaged, edited or no export", async () => {
    const { lines } = await newExport();
    const text = (...parts: string[]) => new Uint8Array(gzipSync(parts.join("\n")));
    const whole = fileOf(lines);
    const header = JSON.stringify(lines[0]);
    const cases: [object[] | Uint8Array<ArrayBuffer>, object | RegExp][] = [
      [new Uint8Array([80, 75, 1, 1, 1]), { code: "not_an_export" }],
      [new Uint8Array(), { code: "export_incomplete" }],
      [whole.slice(0, -20), { code: "export_incomplete" }],
      [lines.slice(1), { code: "not_an_export" }],
      [lines.slice(0, -1), { code: "export_incomplete" }],
      [lines.toSpliced(-4, 1), { code: "export_incomplete" }],
      [text(header, "x"), /^line 2: .*JSON/u],
      [text(header, ""), { code: "export_incomplete" }],
      [text(header, "", ""), /^line 2: .*JSON/u],
      [text(header, "null"), /^line 2: /u],
      [text(header, '{"gadgets":{}}'), /^line 2: must be one of suppressions, /u],
      [text(header, '{"topics":{},"segments":{}}'), /^line 2: /u],
      [text(header, `{"subscribers":${"[".repeat(200)}`), /^line 2: .*levels/u],
      [text(header, '{"subscribers":{"__proto__":1}}'), /^line 2: /u],
      [text(header, "x".repeat(3_000_000)), /^line 2: must have at most 1900000 characters/u],
    ];
    for (const [file, told] of cases) {
      const { id } = await owner.newProject();
      const body = told instanceof RegExp ? { error: told } : told;
      expect(await load(id, file)).toMatchObject({ status: 400, body });
      await forget(id);
    }
  });
});
