/*
 * A live automation inside a test, which drives the sender and the clock:
 *
 *   const { subscribe, happen, work, pass, received } = await automationWorld({ trigger, steps });
 *   const [ann] = await subscribe(1);
 *   await happen("signed_up", [ann]);
 *   await work();
 *   expect(await received()).toEqual(["Welcome s0"]);
 */
import { runScheduled } from "../../src/cron/run-scheduled.ts";
import { allSteps } from "../../src/lib/automation-steps.ts";
import type { Definition } from "../../src/lib/automation-definition.ts";
import { columnsOf } from "../../src/services/automations/index.ts";
import { manualService, newNewsletter, workOff } from "./broadcasting.ts";
import { receivedMessages } from "./mailbox.ts";
import { allRows, insertRow } from "./rows.ts";
import { EVERY_MINUTE } from "./times.ts";

export interface StoredRun {
  id: string;
  subscriber_id: string;
  version: number;
  step: string;
  moves: number;
  due_at: number | null;
  waits_for: string | null;
  mails: string;
  ended_at: number | null;
  outcome: string | null;
}

/** A mail of a step that names its recipient in the subject. */
export const mail = (id: string, fields: object = {}) =>
  ({ id, type: "send", subject: `${id} {{name}}`, html_body: "<p>Hi</p>", ...fields }) as const;

export const wait = (id: string, span = "1 day") => ({ id, type: "wait", for: span }) as const;

export async function automationWorld(
  given: Given | (() => Given),
  prepare: (projectId: string, owner: Owner) => Promise<unknown> = async () => {},
) {
  const { service, clock, workAll, queued } = manualService();
  const owner = await service.newOwner();
  const news = await newNewsletter(service, owner);
  const deps = await service.deps();
  await prepare(news.id, owner);
  const definition: Definition = {
    trigger: { type: "event", event: "signed_up" },
    reentry: "never",
    ...(typeof given === "function" ? given() : given),
  };
  const id = await startAutomation(news.id, definition);
  /** Runs everything that is due, as the alarm of the sender does. */
  const work = async () => {
    await workAll(deps);
    await workOff(deps, news.id);
  };
  return {
    service,
    clock,
    queued,
    owner,
    news,
    deps,
    id,
    definition,
    work,
    /** Adds subscribers and returns their ids. */
    subscribe: async (count: number, status = "active") => {
      const before = new Set((await people(news.id)).map((one) => one.id));
      await news.subscribe(count, (n) => `${before.size + n}.${news.from}`, status);
      return (await people(news.id)).flatMap((one) => (before.has(one.id) ? [] : [one.id]));
    },
    /** Records an event of people, as the API does. */
    happen: (name: string, who: string[], data: object = {}) =>
      service.env.DB.prepare(
        `insert into events (project_id, subscriber_id, name, data, occurred_at, received_at)
         select ?1, value, ?2, ?3, ?4, ?4 from json_each(?5)`,
      )
        .bind(news.id, name, JSON.stringify(data), deps.now(), JSON.stringify(who))
        .run(),
    /** Lets time pass, and the sweep and the sender run. */
    pass: async (ms: number) => {
      clock.aheadMs += ms;
      await runScheduled(deps, EVERY_MINUTE);
      await work();
    },
    runs: () =>
      allRows<StoredRun>(
        "select * from automation_runs where automation_id = ? order by subscriber_id",
        id,
      ),
    /** The counts of a version, by `STEP WHAT`. */
    counts: async (version = 1): Promise<Record<string, number>> => {
      const found = await allRows<{ step: string; what: string; n: number }>(
        "select step, what, n from automation_counts where automation_id = ? and version = ?",
        id,
        version,
      );
      return Object.fromEntries(found.map(({ step, what, n }) => [`${step} ${what}`, n]));
    },
    /** The subjects of the mails that the server got, in order. */
    received: async () => {
      const messages = await receivedMessages({ from: news.from });
      return messages
        .map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? "")
        .toSorted();
    },
  };
}

type Given = Pick<Definition, "steps"> & Partial<Definition>;

type Owner = Awaited<ReturnType<ReturnType<typeof manualService>["service"]["newOwner"]>>;

export type AutomationWorld = Awaited<ReturnType<typeof automationWorld>>;

const people = (projectId: string) =>
  allRows<{ id: string }>("select id from subscribers where project_id = ? order by id", projectId);

/** Stores an active automation, as its start does. */
export async function startAutomation(projectId: string, definition: Definition): Promise<string> {
  const id = crypto.randomUUID();
  const { triggerType, triggerKey, reentryMs } = columnsOf(id, definition);
  await insertRow("automations", {
    id,
    project_id: projectId,
    name: "Series",
    state: "active",
    version: 0,
    definition: JSON.stringify(definition),
    trigger_type: triggerType,
    trigger_key: triggerKey,
    reentry_ms: reentryMs,
    created_at: 1,
    updated_at: 1,
    started_at: 1,
  });
  await startVersion(projectId, id, definition, 1);
  return id;
}

/** Stores a version with the mails of its steps, and makes it the one that people enter. */
export async function startVersion(
  projectId: string,
  id: string,
  definition: Definition,
  version: number,
): Promise<void> {
  const stored = JSON.stringify(definition);
  await insertRow("automation_versions", {
    automation_id: id,
    version,
    project_id: projectId,
    definition: stored,
    created_at: version,
  });
  for (const { step } of allSteps(definition))
    if (step.type === "send")
      await insertRow("broadcasts", {
        id: crypto.randomUUID(),
        project_id: projectId,
        name: "Series",
        kind: "automation",
        subject: step.subject,
        html_body: step.html_body,
        text_body: "",
        state: "sending",
        status: step.to ?? "active",
        topic_id: step.topic_id ?? null,
        log_key: crypto.randomUUID(),
        cutoff_id: "~",
        planned_id: "~",
        plan_due_at: 1,
        created_at: 1,
        tracking: "{}",
        plan: JSON.stringify({ utm: {} }),
        variables: "{}",
        automation_id: id,
        automation_version: version,
        step_id: step.id,
      });
  await allRows(
    "update automations set version = ?, definition = ? where id = ?",
    version,
    stored,
    id,
  );
}
