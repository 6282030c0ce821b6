/* The import of an exported project elsewhere (API reference §9.9). */
import { describe, expect, it } from "vitest";
import { readExport } from "../../../src/http/project/project-transfer/read-export.ts";
import type { ZipEntry } from "../../../src/lib/zip-format.ts";
import { runBatch } from "../../../src/db/client.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { continuePurges } from "../../../src/services/project-removal/index.ts";
import { logEntry } from "../../support/log-entry.ts";
import { bytesOf, changed, listed, transferFiles } from "../../support/transfer-files.ts";
import { LONG_AGO, newFullProject, rowsOf, zipOf } from "../../support/transfer-world.ts";
import { purgeTopics } from "../../../src/services/topics/index.ts";
import { allRows } from "../../support/rows.ts";
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

const { exportOf, forget, load, newExport } = transferFiles(service, owner);

/** The kinds whose rows change broadcasts that are in by then. */
const OF_BROADCASTS = new Set(["retries", "trials"]);

describe("POST /projects/{id}/import", () => {
  it("restores every row with its id, counts and totals, and ends what was in progress", async () => {
    const { before, files } = await newExport();
    const { id } = await owner.newProject();
    const answer = await load(id, await zipOf(files));
    expect(answer).toMatchObject({ status: 200, body: { done: true, rows: { subscribers: 3 } } });
    const after = await rowsOf(id);
    const [broadcast] = after["broadcasts"] ?? [];
    expect(broadcast).toMatchObject({ state: "cancelled", sent: 1 });
    const ended = { state: "cancelled", plan_due_at: 0, finished_at: broadcast?.["finished_at"] };
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
    const { files } = await newExport();
    const { id } = await owner.newProject();
    const where = "not topic:lost";
    const segments = changed(files, "segments-00001.ndjson", (text) =>
      text.replace(/"condition":"(?:[^"\\]|\\.)*"/, `"condition":"${where}"`),
    );
    expect(await load(id, await zipOf(segments))).toMatchObject({ status: 200 });
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

  it("imports drafts with all of their fields, and scheduled ones as drafts", async () => {
    const project = await newFullProject(service, owner);
    const { path, templateId, topicId } = project;
    const fields = {
      name: "May",
      topic_id: topicId,
      where: "tag:vip",
      variables: { city: "Bonn" },
      per_hour: 60,
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
    const files = await exportOf(project.id);
    await forget(project.id);
    const { id } = await owner.newProject();
    const first = (change: object, plan: object = {}) =>
      changed(files, "drafts-00001.ndjson", (text) => {
        const [line = "", ...others] = text.trim().split("\n");
        const row = JSON.parse(line) as { plan: object };
        return [
          JSON.stringify({ ...row, ...change, plan: { ...row.plan, ...plan } }),
          ...others,
        ].join("\n");
      });
    const one = { subject: "x", fromName: null, templateId: null };
    const ab = { variants: [one, one], share: 20, waitHours: 4, by: "opens" };
    const bad = first({}, { ab: { ...ab, by: "xopens" } });
    expect(await load(id, await zipOf(bad))).toMatchObject({
      status: 400,
      body: { error: /drafts-00001.*line 1: plan/u },
    });
    expect(await drafts(id)).toEqual([]);
    const faults: [object, object, string][] = [
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
      [{}, { subject: "{{#if" }, "subject"],
      [{}, { ab, timeZone: "Europe/Berlin" }, "ab"],
      [{ per_hour: 10_000_001 }, {}, "per_hour"],
      [{ html_body: "{{#if" }, {}, "html_body"],
    ];
    for (const [change, plan, field] of faults) {
      const forged = await zipOf(first(change, plan));
      const reading = (async () => {
        for await (const file of readExport(listed([forged]))) expect(file.is).not.toBe("end");
      })();
      const fault = new RegExp(`^drafts-00001.ndjson, line 1: .*${field}`, "u");
      await expect(reading).rejects.toThrow(fault);
    }
    expect(await load(id, await zipOf(files))).toMatchObject({ body: { rows: { drafts: 2 } } });
    expect(await drafts(id)).toMatchObject([
      { id: june["id"], name: "June", template_id: templateId, send_at: null, state: "draft" },
      { ...may, project_id: id },
    ]);
  });

  it("imports a draft that started during the export once: as a broadcast that has ended", async () => {
    const { id: from } = await owner.newProject();
    const { body: draft } = await owner.post<{ id: string }>(`/projects/${from}/broadcasts`, {
      name: "May",
      subject: "Hi",
      variables: { city: "Bonn" },
    });
    const kinds = new Set<string>();
    service.d1.before = async (statements) => {
      for (const text of statements)
        for (const [kind] of text.matchAll(/(?<=kind = ')(?:draft|broadcast)'/gu)) kinds.add(kind);
      if (kinds.size < 2) return;
      service.d1.before = undefined;
      await allRows(
        "update broadcasts set kind = 'broadcast', state = 'sending', created_at = created_at + 1 where id = ?",
        draft.id,
      );
    };
    const files = await exportOf(from);
    expect(kinds.size).toBe(2);
    await forget(from);
    const { id } = await owner.newProject();
    expect(await load(id, await zipOf(files))).toMatchObject({ body: { done: true } });
    const drafts = await owner.get(`/projects/${id}/broadcasts?state=draft`);
    expect(drafts.body).toMatchObject({ broadcasts: [] });
    const begun = await owner.get(`/projects/${id}/broadcasts/${draft.id}`);
    const fields = { name: "May", state: "cancelled", variables: { city: "Bonn" } };
    expect(begun).toMatchObject({ status: 200, body: fields });
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
    const files = await exportOf(from);
    await forget(from);
    const { id } = await owner.newProject();
    expect(await load(id, await zipOf(files))).toMatchObject({ body: { done: true } });
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
      const files = await exportOf(from);
      await forget(from);
      const { id } = await owner.newProject();
      expect(await load(id, await zipOf(files))).toMatchObject({ status: 200 });
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
    const files = await exportOf(from);
    await forget(from);
    const { id } = await owner.newProject();
    expect(await load(id, await zipOf(files))).toMatchObject({ body: { rows: { plans: 2 } } });
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

  it("accepts an export that lacks kinds, and skips those of a later version", async () => {
    const { before, files } = await newExport();
    const later = { name: "gadgets-00001.ndjson", bytes: bytesOf({ id: 1 }) };
    const isKept = ({ name }: ZipEntry) =>
      !/^(?:broadcast_variants|mailings|retries|plans|trials)-/u.test(name);
    const old = changed(files.filter(isKept), "end.json", (text) =>
      text
        .replaceAll(/"(?:broadcast_variants|mailings|retries|plans|trials)":\d+,/gu, "")
        .replace("{", '{"version":9,')
        .replace('"rows":{', '"rows":{"gadgets":1,'),
    );
    const { id } = await owner.newProject();
    const answer = await load(id, await zipOf([...old.slice(0, 4), later, ...old.slice(4)]));
    expect(answer).toMatchObject({
      status: 200,
      body: { done: true, rows: { broadcasts: 1 }, unknown_kinds: ["gadgets"] },
    });
    const after = await rowsOf(id);
    expect(after["broadcasts"]).toMatchObject([{ plan: null, winner: null, retried_by: null }]);
    expect(after["subscribers"]).toEqual(before["subscribers"]);
    expect(after["subscriber_mailings"]).toEqual([]);
  });

  it("skips IP addresses that exceed the project's retention", async () => {
    const { files } = await newExport();
    const { id } = await owner.newProject();
    const opened = (line: string, n: number) =>
      JSON.stringify({
        ...(JSON.parse(line) as object),
        opened_at: Date.now() - (n === 0 ? 31 : 29) * DAY,
        opened_ip: "192.0.2.7",
      });
    const forged = changed(files, "email_log-00001.ndjson", (text) =>
      text.trim().split("\n").map(opened).join("\n"),
    );
    expect(await load(id, await zipOf(forged))).toMatchObject({ status: 200 });
    const entries = await allRows<{ opened_ip: string | null }>(
      "select opened_ip from log_entries where project_id = unhex(?, '-') order by opened_at",
      id,
    );
    const [oldest, ...others] = entries.map((row) => row.opened_ip);
    expect(oldest).toBeNull();
    expect(new Set(others)).toEqual(new Set(["192.0.2.7"]));
  });

  it("resumes where it stopped, and adds nothing twice", async () => {
    const { before, files } = await newExport();
    const { id } = await owner.newProject();
    const zip = await zipOf(files);
    const cut = await load(id, zip.slice(0, Math.floor(zip.length * 0.6)));
    expect(cut).toMatchObject({ status: 400, body: { error: /early/u } });
    await owner.post(`/projects/${id}/waitlist`, { email: "new@list.test" });
    for (const _round of [1, 2, 3])
      expect(await load(id, zip)).toMatchObject({ status: 200, body: { done: true } });
    const after = await rowsOf(id);
    const { counters, subscribers, consent_events: history, ...others } = before;
    expect(after).toMatchObject({ ...others, broadcasts: [{}] });
    expect(after["subscribers"]).toHaveLength((subscribers?.length ?? 0) + 1);
    expect(after["consent_events"]).toEqual(expect.arrayContaining(history ?? []));
    expect(after["counters"]).toEqual([
      { ...counters?.[0], subscribers_pending: Number(counters?.[0]?.["subscribers_pending"]) + 1 },
    ]);
    const other = await newExport();
    const refused = await load(id, await zipOf(other.files));
    expect(refused).toMatchObject({ status: 409, body: { code: "other_export_imported" } });
  });

  it("imports suppressions before subscribers, so an interrupted one mails none of them", async () => {
    const { files } = await newExport();
    const names = files.map(({ name }) => name);
    const after = names.indexOf("subscribers-00001.ndjson");
    expect(names.indexOf("suppressions-00001.ndjson")).toBeLessThan(after);
    const { id } = await owner.newProject();
    const cut = await load(id, await zipOf(files.slice(0, after + 1)));
    expect(cut).toMatchObject({ status: 400, body: { error: /early/u } });
    expect((await rowsOf(id))["subscribers"]).toHaveLength(3);
    const mail = { to: "gone@list.test", subject: "Hi", html_body: "<p>Hi</p>" };
    await owner.put(`/projects/${id}/smtp`, SMTP);
    expect(await owner.post(`/projects/${id}/send`, mail)).toMatchObject({ status: 422 });
  });

  it("counts each person once, even if a file repeats them", async () => {
    const { before, files } = await newExport();
    const twice = (text: string) => {
      const [line = ""] = text.split("\n");
      const row = JSON.parse(line) as object;
      return `${text.trim()}\n${line}\n${JSON.stringify({ ...row, email: "twin@list.test" })}\n`;
    };
    const doubled = ["subscribers", "suppressions"].reduce(
      (all, kind) => changed(all, `${kind}-00001.ndjson`, twice),
      changed(files, "end.json", (text) =>
        text
          .replace('"suppressions":1', '"suppressions":3')
          .replace('"subscribers":3', '"subscribers":5'),
      ),
    );
    const { id } = await owner.newProject();
    expect(await load(id, await zipOf(doubled))).toMatchObject({ body: { done: true } });
    const after = await rowsOf(id);
    expect([after["subscribers"], after["suppressions"]].map((rows) => rows?.length)).toEqual([
      3, 1,
    ]);
    expect(after["counters"]).toEqual(before["counters"]);
  });

  it("waits until the consents of the exported project are deleted, and keeps its own", async () => {
    const project = await newFullProject(service, owner);
    const files = await exportOf(project.id);
    const before = (await rowsOf(project.id))["topic_consents"];
    await owner.delete(`/projects/${project.id}`);
    const deps = await service.deps();
    while ((await allRows("select 1 from project_purges")).length > 0) await continuePurges(deps);
    const { id } = await owner.newProject();
    expect(await load(id, await zipOf(files))).toMatchObject({
      status: 409,
      body: { error: /topics of the file are still being removed.*repeat the import/u },
    });
    await purgeTopics(deps);
    expect(await load(id, await zipOf(files))).toMatchObject({ body: { done: true } });
    await purgeTopics(deps);
    const after = (await rowsOf(id))["topic_consents"];
    expect([after?.length, after]).toEqual([expect.toSatisfy((n) => n > 0), before]);
  });

  it("accepts only an empty project, and never while the exported project exists", async () => {
    const project = await newFullProject(service, owner);
    const zip = await zipOf(await exportOf(project.id));
    const { id } = await owner.newProject();
    const beside = await load(id, zip);
    expect(beside).toMatchObject({ status: 409, body: { error: /IDs may be in use/u } });
    await forget(project.id);
    const full = await newFullProject(service, owner);
    expect(await load(full.id, zip)).toMatchObject({ status: 409, body: { error: /not empty/u } });
    const twin = await owner.newProject();
    expect(await load(id, zip)).toMatchObject({ status: 200 });
    expect(await load(twin.id, zip)).toMatchObject({ status: 409 });
    expect((await rowsOf(twin.id))["subscribers"]).toEqual([]);
  });

  it("rejects an id of another project, and leaves that row unchanged", async () => {
    const victim = await newFullProject(service, owner);
    const theirs = await rowsOf(victim.id);
    const kinds = [
      "templates",
      "subscribers",
      "suppressions",
      "broadcasts",
      "retries",
      "trials",
      "email_log",
    ];
    for (const kind of kinds) {
      const { files } = await newExport();
      const { id } = await owner.newProject();
      const table =
        { email_log: "log_entries", retries: "broadcasts", trials: "broadcasts" }[kind] ?? kind;
      const taken = String(theirs[table]?.[0]?.["id"]).toLowerCase();
      const dashed = taken.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
      const wanted = kind === "suppressions" ? taken.toUpperCase() : dashed;
      const forged = changed(files, `${kind}-00001.ndjson`, (text) =>
        text.replace(/"id":"[^"]+"/u, `"id":"${wanted}"`),
      );
      const answer = await load(id, await zipOf(forged));
      expect(answer, kind).toMatchObject({
        status: 409,
        body: { code: "ids_of_other_project", params: { kind } },
      });
      expect((await rowsOf(id))[table]).toEqual(OF_BROADCASTS.has(kind) ? [expect.anything()] : []);
    }
    expect(await rowsOf(victim.id)).toEqual(theirs);
  });

  it("validates every value by the rules of the calls that usually write it, and names the line", async () => {
    const { files } = await newExport();
    const subscribers = "subscribers-00001.ndjson";
    const faults: [ZipEntry[], RegExp | object][] = [
      [changed(files, subscribers, (text) => text.replace("ann@", "a\\r\\nnn@")), /line 1: email/u],
      [changed(files, subscribers, (text) => text.replace("active", "admin")), /status/u],
      [
        changed(files, subscribers, (text) => text.replace('"name":""', '"name":"\\u202e"')),
        /name/u,
      ],
      [changed(files, subscribers, (text) => text.replace('"id"', '"__proto__"')), /line 1/u],
      [changed(files, subscribers, (text) => `${"[".repeat(200)}${text}`), /levels|JSON/u],
      [
        changed(files, "segments-00001.ndjson", (text) => text.replace("city:", "((")),
        /condition/u,
      ],
      [
        changed(files, "topics-00001.ndjson", (text) =>
          text.replace('"name":"News"', `"name":"${crypto.randomUUID()}"`),
        ),
        /topics-00001.*line 1: name/u,
      ],
      [
        changed(files, "email_log-00001.ndjson", (text) =>
          text.replace('"order":', `"${"x".repeat(65)}":`),
        ),
        /email_log-00001.*line \d: tags/u,
      ],
      [
        changed(files, "manifest.json", (text) => text.replace('"version":1', '"version":2')),
        /version/u,
      ],
      [
        changed(files, "trials-00001.ndjson", (text) => text.replace('"winner":1', '"winner":2')),
        /trials-00001.*line 1.*variants/u,
      ],
      [
        changed(files, "mailings-00001.ndjson", (text) => text.replace('"ids":["', '"ids":["x')),
        /mailings-00001.*line 1: ids/u,
      ],
      [
        changed(files, "trials-00001.ndjson", (text) =>
          text.replace('"waitHours":4', '"waitHours":721'),
        ),
        /trials-00001.*line 1: plan.*waitHours/u,
      ],
      ...["templates", "template_versions"].map((kind): [ZipEntry[], RegExp] => [
        changed(files, `${kind}-00001.ndjson`, (text) => text.replace("{{name}}", "{{#if")),
        new RegExp(`${kind}-00001.*line 1: subject: `, "u"),
      ]),
      [
        [...files.slice(0, 2), { name: "../../etc/passwd", bytes: bytesOf(1) }],
        { code: "not_an_export" },
      ],
      [files.slice(1), { code: "not_an_export" }],
      [files.slice(0, -1), { code: "export_incomplete" }],
      [
        files.filter(({ name }) => name !== subscribers),
        { code: "export_lacks_rows", params: { kind: "subscribers" } },
      ],
    ];
    for (const [forged, told] of faults) {
      const { id } = await owner.newProject();
      const answer = await load(id, await zipOf(forged));
      const body = told instanceof RegExp ? { error: told } : told;
      expect(answer).toMatchObject({ status: 400, body });
      await forget(id);
    }
  });

  it("stops at a body that grows without end, compressed or not, and at one that is not a zip", async () => {
    const { id } = await owner.newProject();
    expect(await load(id, new Uint8Array([80, 75, 1, 1, 1]))).toMatchObject({ status: 400 });
    const bomb = await zipOf([{ name: "manifest.json", bytes: new Uint8Array(9_000_000) }]);
    expect(bomb.length).toBeLessThan(20_000);
    expect(await load(id, bomb)).toMatchObject({ status: 413, body: { code: "export_too_large" } });
    const path = `/api/v1/projects/${id}/import`;
    const headers = { Cookie: owner.cookie, "Content-Type": "application/json" };
    const json = await service.fetch(path, { method: "POST", headers, body: "{}" });
    expect(json.status).toBe(400);
  });
});
