/* Automations as rows of the database, for tests of what reads them. */
import { broadcastLogId } from "../../src/services/email-log/index.ts";
import { insertRow, type Row } from "./rows.ts";

/** A welcome series: two mails with a wait between them. */
export const SERIES = {
  trigger: { type: "joined" },
  steps: [
    { id: "welcome", type: "send", subject: "Welcome", html_body: "<p>Hi</p>" },
    { id: "pause", type: "wait", for: "3 days" },
    { id: "tips", type: "send", subject: "Tips", html_body: "<p>Tip</p>" },
  ],
  reentry: "never",
};

/** Stores an active automation with versions 1 to `versions` of a definition. */
export async function storeAutomation(
  projectId: string,
  { versions = 1, definition = SERIES }: { versions?: number; definition?: object } = {},
): Promise<string> {
  const id = crypto.randomUUID();
  await insertRow("automations", {
    id,
    project_id: projectId,
    name: "Welcome series",
    state: "active",
    version: versions,
    definition: JSON.stringify(definition),
    trigger_type: "manual",
    trigger_key: "",
    created_at: 1,
    updated_at: 1,
    started_at: 1,
  });
  for (let version = 1; version <= versions; version++)
    await insertRow("automation_versions", {
      automation_id: id,
      version,
      project_id: projectId,
      definition: JSON.stringify(definition),
      created_at: version,
    });
  return id;
}

/** Stores the mails of a step, and returns how to name one in the log. */
export async function storeStepMails(
  projectId: string,
  automationId: string,
  step: string,
  { version = 1, ...columns }: Row & { version?: number } = {},
) {
  const id = crypto.randomUUID();
  const logKey = crypto.randomUUID();
  await insertRow("broadcasts", {
    id,
    project_id: projectId,
    subject: "Welcome",
    html_body: "",
    text_body: "",
    status: "active",
    state: "sending",
    kind: "automation",
    log_key: logKey,
    cutoff_id: "~",
    planned_id: "",
    plan_due_at: 1,
    created_at: 1,
    automation_id: automationId,
    automation_version: version,
    step_id: step,
    ...columns,
  });
  return {
    id,
    logId: (subscriberId: string, page: string) =>
      broadcastLogId({ logKey, createdAt: 1 }, subscriberId, page),
  };
}

/** Stores a run with these columns. Ids increase in the order of the calls. */
export async function storeRun(projectId: string, automationId: string, columns: Row = {}) {
  const id = `0199${String(++runs).padStart(4, "0")}-0000-7000-8000-000000000000`;
  await insertRow("automation_runs", {
    id,
    automation_id: automationId,
    project_id: projectId,
    version: 1,
    step: "pause",
    moves: 1,
    due_at: 8e12,
    goal_met: 0,
    mails: "[]",
    entered_at: 1_000,
    moved_at: 2_000,
    ...columns,
  });
  return id;
}

let runs = 0;

/** Adds to the counts of a version, written `STEP WHAT`; the entry is the step without a name. */
export async function storeCounts(
  automationId: string,
  counts: Record<string, number>,
  version = 1,
): Promise<void> {
  for (const [name, n] of Object.entries(counts)) {
    const [step, what] = name.split(" ");
    await insertRow("automation_counts", { automation_id: automationId, version, step, what, n });
  }
}
