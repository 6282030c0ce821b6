/* The report and the runs of an automation. */
import { describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import type { Step } from "../../../src/lib/automation-definition.ts";
import type { EmailAddress } from "../../../src/mail/address.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import {
  automationWorld,
  mail,
  startAutomation,
  startVersion,
  wait,
} from "../../support/automating.ts";
import { logEntry } from "../../support/log-entry.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { findMails } from "../../../src/services/bounces/find-mails.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { CAPTURING, createService } from "../../support/service.ts";
import {
  mailsOfStep,
  SERIES,
  storeCounts,
  storeRun,
  storeSeries,
} from "../../support/stored-automations.ts";
import { DAY_MS, trackingEvent } from "../../support/tracking/mails.ts";

const service = createService({ WEBHOOK_QUEUE });
const deps = await service.deps();
const owner = await service.newOwner();

async function newSeries(versions = 1) {
  const { id: projectId } = await owner.newProject(CAPTURING);
  const path = `/projects/${projectId}`;
  const id = await storeSeries(projectId, versions);
  const newSubscriber = async (email: string) =>
    String((await owner.post(`${path}/subscribers`, { email })).body["id"]);
  return { projectId, path, id, at: `${path}/automations/${id}`, newSubscriber };
}

interface Run {
  id: string;
  email: string;
  mails: { step: string; log_id: string | null }[];
}
type Runs = { runs: Run[]; next: string | null };

const NOBODY = {
  completed: 0,
  goal: 0,
  unsubscribed: 0,
  suppressed: 0,
  deleted: 0,
  stopped: 0,
};

describe("the report of an automation", () => {
  it("counts by version and step who is there, went on, and left and why", async () => {
    const { id, at, projectId } = await newSeries();
    await storeCounts(id, {
      " in": 10,
      " out": 10,
      "welcome in": 10,
      "welcome out": 10,
      "welcome unsubscribed": 1,
      "pause in": 9,
      "pause out": 5,
      "pause goal": 2,
      "tips in": 3,
      "tips out": 3,
      "tips completed": 3,
    });
    const mails = await mailsOfStep(id, "welcome");
    await allRows("update broadcasts set sent = 7, failed = 2, unknown = 1 where id = ?", mails.id);
    await insertRow("broadcast_chunks", {
      broadcast_id: mails.id,
      after_id: "",
      until_id: "~",
      cursor_id: "",
      state: "pending",
      due_at: 1,
      lease_token: "",
      in_flight: "[]",
      again: "[]",
      deferred: "[]",
      sent: 1,
    });
    const counts = { project_id: projectId, broadcast_id: mails.id };
    await insertRow("broadcast_counts", { ...counts, opened: 4, opened_human: 3, unsubscribed: 1 });
    const { status, body } = await owner.get(`${at}/report`);
    const people = { entered: 10, inside: 4, ...NOBODY, unsubscribed: 1, goal: 2, completed: 3 };
    expect([status, body]).toEqual([
      200,
      {
        totals: { ...people, goal_rate: 0.2 },
        versions: [
          {
            version: 1,
            created_at: "1970-01-01T00:00:00.001Z",
            moves_on: false,
            ...people,
            goal_rate: 0.2,
            steps: [
              {
                id: "welcome",
                type: "send",
                now: 0,
                passed: 9,
                ...NOBODY,
                unsubscribed: 1,
                mails: {
                  subject: "Welcome",
                  sent: 8,
                  failed: 1,
                  bounced: 0,
                  suppressed: 0,
                  unknown: 1,
                  opened: 4,
                  opened_human: 3,
                  clicked: 0,
                  clicked_human: 0,
                  unsubscribed: 1,
                },
              },
              { id: "pause", type: "wait", now: 4, passed: 3, ...NOBODY, goal: 2, mails: null },
              {
                id: "tips",
                type: "send",
                now: 0,
                passed: 0,
                ...NOBODY,
                completed: 3,
                mails: expect.objectContaining({ subject: "Tips", sent: 0, opened: 0 }),
              },
            ],
          },
        ],
      },
    ]);
  });

  it("lists the steps of branches in their order, and nothing else that looks like a step", async () => {
    const { path, projectId } = await newSeries();
    const end = (id: string): Step => ({ id, type: "end" });
    const steps: Step[] = [
      {
        id: "vip",
        type: "branch",
        ways: [
          { where: "tag:vip", steps: [end("a")] },
          { where: "tag:b", steps: [] },
        ],
        else: [{ id: "b", type: "set", metadata: { steps: [{ id: "no", type: "end" }] } }],
      },
      end("c"),
    ];
    const id = await startAutomation(projectId, { ...SERIES, steps });
    const { body } = await owner.get<{ versions: { steps: { id: string }[] }[] }>(
      `${path}/automations/${id}/report`,
    );
    expect(body.versions[0]?.steps.map((step) => step.id)).toEqual(["vip", "a", "b", "c"]);
  });

  it("shows the ten newest versions, and the sums of all", async () => {
    const { id, at } = await newSeries(12);
    await storeCounts(id, { " in": 5, "pause in": 5 }, 1);
    await storeCounts(id, { " in": 2, "pause in": 2, "pause out": 1, "pause goal": 1 }, 12);
    const { body } = await owner.get<{ totals: object; versions: Record<string, unknown>[] }>(
      `${at}/report`,
    );
    expect(body.totals).toEqual({ entered: 7, inside: 6, ...NOBODY, goal: 1, goal_rate: 1 / 7 });
    expect(body.versions.map((one) => [one["version"], one["inside"], one["goal_rate"]])).toEqual([
      [12, 1, 0.5],
      ...Array.from({ length: 9 }, (_, n) => [11 - n, 0, null]),
    ]);
  });
});

/** A mail that the welcome step has sent to Ann, in the log. */
async function welcomeMail() {
  const series = await newSeries();
  const { id, path, projectId, newSubscriber } = series;
  const ann = await newSubscriber("ann@any.test");
  const { id: broadcastId, logId } = await mailsOfStep(id, "welcome");
  const mails = JSON.stringify([{ step: "welcome", at: 1_000, page: "p1" }]);
  const runId = await storeRun(projectId, id, { subscriber_id: ann, mails });
  const mail = { id: logId(ann, "p1"), subscriberId: ann, broadcastId, toEmail: "ann@any.test" };
  const entry = logEntry(projectId, { ...mail, sentAt: deps.now() });
  const log = () => runBatch(deps.db, appendLog(deps, projectId, [entry]));
  return { ...series, path, ann, broadcastId, runId, logId: entry.id, log };
}

describe("a mail of an automation", () => {
  it("names its automation, version, step and run instead of a broadcast", async () => {
    const { path, id, runId, logId, log } = await welcomeMail();
    await log();
    const named = { broadcast_id: null, automation_id: id, step_id: "welcome" };
    expect((await owner.get(`${path}/logs/${logId}`)).body).toMatchObject({
      ...named,
      automation: { name: "Series", version: 1, run_id: runId },
    });
    const { body } = await owner.get<{ logs: unknown[] }>(`${path}/logs`);
    expect(body.logs).toEqual([expect.objectContaining(named)]);
  });

  it("is no broadcast to any of their routes", async () => {
    const { path, broadcastId } = await welcomeMail();
    const one = `${path}/broadcasts/${broadcastId}`;
    const statuses = await Promise.all([
      ...["", "/report", "/content", "/recipients", "/archive"].map((end) => owner.get(one + end)),
      ...["pause", "resume", "cancel", "start", "duplicate"].map((end) =>
        owner.post(`${one}/${end}`, {}),
      ),
      owner.request("PATCH", one, { name: "Mine" }),
      owner.delete(one),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 404));
    expect((await owner.get(`${path}/broadcasts`)).body).toMatchObject({ broadcasts: [] });
  });

  it("names automation and step in the events of webhooks", async () => {
    const { id, logId, log, projectId } = await welcomeMail();
    const hook = await newWebhook(projectId, ["email.sent", "email.opened"]);
    await log();
    await recordEvents(deps, [trackingEvent("open", logId, deps.now() + 60_000)]);
    expect(await hook.payloads()).toEqual(
      ["email.sent", "email.opened"].map((type) =>
        expect.objectContaining({
          type,
          data: expect.objectContaining({
            log_id: logId,
            broadcast_id: null,
            automation_id: id,
            step_id: "welcome",
          }) as unknown,
        }),
      ),
    );
  });

  it("is in the export of its person, and found for a bounce that names only the address", async () => {
    const { path, projectId, ann, logId, log } = await welcomeMail();
    await log();
    const { body } = await owner.get<{ mails: { id: string }[] }>(
      `${path}/subscribers/${ann}/export`,
    );
    expect(body.mails.map((mail) => mail.id)).toEqual([logId]);
    const { mails } = await findMails(deps, projectId, [{ email: "ann@any.test" as EmailAddress }]);
    expect(mails.map((mail) => mail.logId)).toEqual([logId]);
  });

  it("counts in the figures of the project, but not among the opens of broadcasts", async () => {
    const { path, broadcastId, logId, log } = await welcomeMail();
    await log();
    await recordEvents(deps, [trackingEvent("open", logId, deps.now() + 60_000)]);
    expect((await owner.get(`${path}/stats`)).body).toMatchObject({ total: 1, sent: 1, opened: 1 });
    expect(
      await allRows("select opened from broadcast_counts where broadcast_id = ?", broadcastId),
    ).toEqual([{ opened: 1 }]);
    expect(await allRows("select 1 from open_hours where broadcast_id = ?", broadcastId)).toEqual(
      [],
    );
  });

  it("is among those of its person, on their page and in a search of the log", async () => {
    const { path, ann, logId, log } = await welcomeMail();
    await log();
    const { body: person } = await owner.get<{ recent_mails: { id: string }[] }>(
      `${path}/subscribers/${ann}`,
    );
    expect(person.recent_mails.map((one) => one.id)).toEqual([logId]);
    for (const query of [`subscriber_id=${ann}`, "to_email=ann@any.test"]) {
      const { body } = await owner.get<{ logs: { id: string }[] }>(`${path}/logs?${query}`);
      expect(body.logs.map((one) => one.id)).toEqual([logId]);
    }
  });

  it("is found in the log by its automation and step, in the project of these alone", async () => {
    const { path, id, projectId, ann, logId, log } = await welcomeMail();
    await log();
    await startVersion(projectId, id, SERIES, 2);
    const entries = await Promise.all(
      [{ step: "welcome", version: 2 }, { step: "tips" }].map(async ({ step, version = 1 }) => {
        const mails = await mailsOfStep(id, step, version);
        const own = { id: mails.logId(ann, "p2"), subscriberId: ann, broadcastId: mails.id };
        return logEntry(projectId, { ...own, sentAt: deps.now() });
      }),
    );
    const other = { broadcastId: crypto.randomUUID(), sentAt: deps.now() };
    const all = [...entries, logEntry(projectId, other)];
    await runBatch(deps.db, appendLog(deps, projectId, all));
    const [again, tips] = entries.map((one) => one.id);
    const foundIn = async (project: string, query: string) => {
      const { body } = await owner.get<{ logs: { id: string }[]; total?: number }>(
        `${project}/logs?${query}`,
      );
      expect(body.total).toBeUndefined();
      return body.logs.map((one) => one.id).toSorted();
    };
    const ids = (...some: unknown[]) => some.map(String).toSorted();
    const ofId = `automation_id=${id}`;
    expect(await foundIn(path, ofId)).toEqual(ids(logId, again, tips));
    expect(await foundIn(path, `${ofId}&step_id=welcome`)).toEqual(ids(logId, again));
    expect(await foundIn(path, `${ofId}&step_id=tips&subscriber_id=${ann}`)).toEqual([]);
    expect(await foundIn(path, `${ofId}&step_id=welcome&subscriber_id=${ann}`)).toEqual([logId]);
    expect(await foundIn(path, `${ofId}&step_id=pause`)).toEqual([]);
    const elsewhere = await welcomeMail();
    await elsewhere.log();
    expect(await foundIn(elsewhere.path, ofId)).toEqual([]);
    expect(await foundIn(elsewhere.path, `${ofId}&step_id=welcome`)).toEqual([]);
  });

  it("is searched by a step only together with its automation", async () => {
    const { path, id } = await newSeries();
    expect(await owner.get(`${path}/logs?step_id=welcome`)).toMatchObject({
      status: 400,
      body: {
        code: "invalid_request",
        details: [{ path: "step_id", code: "only_with", params: { field: "automation_id" } }],
      },
    });
    for (const query of ["automation_id=welcome", `automation_id=${id}&status=scheduled`])
      expect(await owner.get(`${path}/logs?${query}`)).toMatchObject({ status: 400 });
  });
});

describe("the runs of an automation", () => {
  it("are listed newest first, with their person and the log entries of their mails", async () => {
    const { at, id, projectId, newSubscriber } = await newSeries();
    const [ann, bob] = [await newSubscriber("ann@any.test"), await newSubscriber("bob@any.test")];
    const mails = await mailsOfStep(id, "welcome");
    const sent = { step: "welcome", at: 1_000, page: "p1" };
    await storeRun(projectId, id, { subscriber_id: ann, mails: JSON.stringify([sent]) });
    await storeRun(projectId, id, {
      subscriber_id: bob,
      step: "tips",
      due_at: null,
      ended_at: 3_000,
      outcome: "completed",
      mails: JSON.stringify([{ ...sent, page: "p2" }]),
    });
    const logId = mails.logId(bob, "p2");
    const entry = logEntry(projectId, {
      id: logId,
      subscriberId: bob,
      broadcastId: mails.id,
      sentAt: deps.now(),
    });
    await runBatch(deps.db, appendLog(deps, projectId, [entry]));
    const { body } = await owner.get<Runs>(`${at}/runs`);
    expect(body.next).toBeNull();
    expect(body.runs.map(({ email, mails: [mail] }) => [email, mail?.log_id])).toEqual([
      ["bob@any.test", logId],
      ["ann@any.test", null],
    ]);
    expect(body.runs[0]).toMatchObject({
      automation_id: id,
      automation_name: "Series",
      subscriber_id: bob,
      version: 1,
      step: "tips",
      state: "ended",
      outcome: "completed",
      due_at: null,
      ended_at: "1970-01-01T00:00:03.000Z",
    });
  });

  it("are those of a state, step and person, page by page", async () => {
    const { at, id, projectId, newSubscriber } = await newSeries();
    const ann = await newSubscriber("ann@any.test");
    const bob = await newSubscriber("bob@any.test");
    const ended = { due_at: null, ended_at: 3_000, outcome: "goal" };
    const first = await storeRun(projectId, id, { subscriber_id: ann, ...ended });
    const second = await storeRun(projectId, id, { subscriber_id: bob, step: "tips" });
    const third = await storeRun(projectId, id, { subscriber_id: ann });
    const idsOf = async (query: string) =>
      (await owner.get<Runs>(`${at}/runs?${query}`)).body.runs.map((run) => run.id);
    expect(await idsOf("state=inside")).toEqual([third, second]);
    expect(await idsOf("state=ended")).toEqual([first]);
    expect(await idsOf("step=tips")).toEqual([second]);
    expect(await idsOf(`subscriber_id=${ann}`)).toEqual([third, first]);
    const { body: page } = await owner.get<Runs>(`${at}/runs?limit=2`);
    expect(page.runs.map((run) => run.id)).toEqual([third, second]);
    expect(await idsOf(`limit=2&after=${page.next}`)).toEqual([first]);
  });

  it("are those of a person in all automations", async () => {
    const { path, id, projectId, newSubscriber } = await newSeries();
    const ann = await newSubscriber("ann@any.test");
    const other = await storeSeries(projectId);
    const first = await storeRun(projectId, id, { subscriber_id: ann });
    const second = await storeRun(projectId, other, { subscriber_id: ann });
    await storeRun(projectId, other, { subscriber_id: await newSubscriber("bob@any.test") });
    const { body } = await owner.get<Runs>(`${path}/subscribers/${ann}/runs?limit=1`);
    expect(body.runs.map((run) => run.id)).toEqual([second]);
    const next = await owner.get<Runs>(
      `${path}/subscribers/${ann}/runs?limit=1&after=${body.next}`,
    );
    expect([next.body.runs.map((run) => run.id), next.body.next]).toEqual([[first], null]);
  });

  it("and the report are not found from another project", async () => {
    const { at, id, projectId, newSubscriber } = await newSeries();
    const ann = await newSubscriber("ann@any.test");
    await storeRun(projectId, id, { subscriber_id: ann });
    const { path: elsewhere } = await newSeries();
    const missing = [
      `${elsewhere}/automations/${id}/report`,
      `${elsewhere}/automations/${id}/runs`,
      `${elsewhere}/automations/${id}/runs?subscriber_id=${ann}`,
      `${elsewhere}/subscribers/${ann}/runs`,
    ];
    const statuses = await Promise.all(missing.map(async (one) => (await owner.get(one)).status));
    expect(statuses).toEqual([404, 404, 404, 404]);
    const stranger = await service.newOwner();
    expect((await stranger.get(`${at}/report`)).status).toBe(403);
  });
});

describe("what an automation does", () => {
  it("is in its report, its runs and the timelines of its mails", async () => {
    const steps = [mail("hello"), wait("rest"), mail("tips")];
    const world = await automationWorld({ steps });
    const { id, news, owner: author, subscribe, happen, work, pass } = world;
    const [ann = "", bob = ""] = await subscribe(2);
    const at = `${news.path}/automations/${id}`;
    const stepsOf = async () => {
      const { body } = await author.get<{ versions: { steps: object[] }[] }>(`${at}/report`);
      return body.versions[0]?.steps;
    };
    await happen("signed_up", [ann, bob]);
    await work();
    expect(await stepsOf()).toMatchObject([
      { id: "hello", now: 0, passed: 2, mails: { sent: 2 } },
      { id: "rest", now: 2, passed: 0, mails: null },
      { id: "tips", now: 0, mails: { sent: 0 } },
    ]);
    const { body } = await author.get<Runs>(`${at}/runs?step=rest`);
    expect(body.runs.map((run) => run.mails.map(({ step }) => step))).toEqual([
      ["hello"],
      ["hello"],
    ]);
    for (const { id: runId, mails } of body.runs)
      expect((await author.get(`${news.path}/logs/${mails[0]?.log_id}`)).body).toMatchObject({
        automation_id: id,
        step_id: "hello",
        automation: { version: 1, run_id: runId },
      });
    const left = { status: "unsubscribed" };
    await author.request("PATCH", `${news.path}/subscribers/${bob}`, left);
    await pass(DAY_MS);
    expect(await stepsOf()).toMatchObject([
      {},
      { id: "rest", now: 0, passed: 1, unsubscribed: 1 },
      { id: "tips", now: 0, passed: 0, completed: 1, mails: { sent: 1 } },
    ]);
    const { body: totals } = await author.get(`${at}/report`);
    expect(totals).toMatchObject({
      totals: { entered: 2, inside: 0, completed: 1, unsubscribed: 1 },
    });
  });
});
