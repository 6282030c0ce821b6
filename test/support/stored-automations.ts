/* Automations as rows of the database, for tests of what reads them. */
import type { Definition } from "../../src/lib/automation-definition.ts";
import { broadcastLogId } from "../../src/services/email-log/index.ts";
import { startAutomation, startVersion } from "./automating.ts";
import { allRows, insertRow, type Row } from "./rows.ts";

/** A welcome series: two mails with a wait between them. */
export const SERIES: Definition = {
  trigger: { type: "manual" },
  steps: [
    { id: "welcome", type: "send", subject: "Welcome", html_body: "<p>Hi</p>" },
    { id: "pause", type: "wait", for: "3 days" },
    { id: "tips", type: "send", subject: "Tips", html_body: "<p>Tip</p>" },
  ],
  reentry: "never",
};

/** Stores an active welcome series with versions 1 to `versions`. */
export async function storeSeries(projectId: string, versions = 1): Promise<string> {
  const id = await startAutomation(projectId, SERIES);
  for (let version = 2; version <= versions; version++)
    await startVersion(projectId, id, SERIES, version);
  return id;
}

/** Returns the id of the mails of a step, and how to name one in the log. */
export async function mailsOfStep(automationId: string, step: string, version = 1) {
  const [mails] = await allRows<{ id: string; log_key: string }>(
    "select id, log_key from broadcasts where automation_id = ? and step_id = ? and automation_version = ?",
    automationId,
    step,
    version,
  );
  const { id, log_key: logKey } = mails ?? { id: "", log_key: "" };
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
