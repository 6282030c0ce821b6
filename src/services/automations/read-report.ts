import { sql } from "drizzle-orm";
import type { BatchResults, Database } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { Step } from "../../lib/automation-definition.ts";
import { RUN_OUTCOMES } from "../../lib/run-outcomes.ts";
import { selectOpenCounts, selectVisits, visitsOf, type Visits } from "../broadcasts/index.ts";

/** The newest versions that a report shows one by one. Its totals are those of all. */
const VERSIONS_SHOWN = 10;

type Outcome = (typeof RUN_OUTCOMES)[number];

/** How many people are inside, and how many have left by each outcome. */
interface People extends Record<Outcome, number> {
  entered: number;
  inside: number;
  /** The share of the people of this version who met the goal; null without people. */
  goalRate: number | null;
}

/** The mails of a step, counted as a broadcast counts its own. */
interface StepMails extends Visits {
  subject: string;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  unknown: number;
}

interface StepReport extends Record<Outcome, number> {
  id: string;
  type: Step["type"];
  /** People who rest at the step. */
  now: number;
  /** People who have gone on to the next step. */
  passed: number;
  /** Null for a step that sends nothing, and before its first start. */
  mails: StepMails | null;
}

export interface AutomationReport {
  totals: People;
  /** The newest first. */
  versions: (People & {
    version: number;
    createdAt: number;
    movesOn: boolean;
    steps: StepReport[];
  })[];
}

/**
 * Returns the statements that run along with the access check. They read counters, and no run.
 * `readReport` takes their results.
 */
export function reportReads(db: Database, projectId: string, id: string) {
  const shown = shownVersions(id);
  const mails = sql`select id from broadcasts where automation_id = ${id} and automation_version in (${shown})`;
  return [
    db.all<{ id: string }>(
      sql`select id from automations where id = ${id} and project_id = ${projectId}`,
    ),
    selectTotals(db, id),
    db.all<{ version: number; createdAt: number; movesOn: number }>(
      sql`select version, created_at as "createdAt", moves_on as "movesOn" from automation_versions
        where automation_id = ${id} and version in (${shown}) order by version desc`,
    ),
    selectSteps(db, id),
    db.all<CountRow>(
      sql`select version, step, what, n from automation_counts
        where automation_id = ${id} and version in (${shown})`,
    ),
    selectMails(db, id),
    selectOpenCounts(db, mails),
    selectVisits(db, projectId, mails),
  ] as const;
}

/** Returns the report of an automation. Throws not_found. */
export function readReport([
  [found],
  totals,
  versions,
  steps,
  counts,
  rows,
  open,
  visits,
]: BatchResults<ReturnType<typeof reportReads>>): AutomationReport {
  if (!found) throw notFound("automation");
  const mailsOf = (version: number, stepId: string): StepMails | null => {
    const row = rows.find((one) => one.version === version && one.stepId === stepId);
    if (!row) return null;
    const ongoing = open.find(({ broadcastId }) => broadcastId === row.id);
    const sum = (name: keyof MailCounts) => row[name] + (ongoing?.[name] ?? 0);
    return {
      subject: row.subject,
      sent: sum("sent"),
      failed: sum("failed") - sum("unknown"),
      bounced: sum("bounced"),
      suppressed: sum("suppressed"),
      unknown: sum("unknown"),
      ...visitsOf(visits, row.id),
    };
  };
  return {
    totals: peopleOf(totals),
    versions: versions.map((one) => ({
      ...one,
      movesOn: one.movesOn === 1,
      ...peopleOf(counts.filter(({ version }) => version === one.version)),
      steps: steps
        .filter(({ version }) => version === one.version)
        .map(({ id: stepId, type }) => ({
          id: stepId,
          type,
          ...passagesOf(
            counts.filter(({ version, step }) => version === one.version && step === stepId),
          ),
          mails: mailsOf(one.version, stepId),
        })),
    })),
  };
}

type MailCounts = Pick<StepMails, "sent" | "failed" | "bounced" | "suppressed" | "unknown">;

interface CountRow {
  version: number;
  step: string;
  what: string;
  n: number;
}

const shownVersions = (id: string) =>
  sql`select version from automation_versions where automation_id = ${id}
    order by version desc limit ${sql.raw(String(VERSIONS_SHOWN))}`;

/** Selects the counts over all versions: those of the entry, and those of all steps. */
const selectTotals = (db: Database, id: string) =>
  db.all<Omit<CountRow, "version">>(
    sql`select iif(step = '', '', '*') as step, what, sum(n) as n from automation_counts
      where automation_id = ${id} group by 1, what`,
  );

/**
 * Selects the steps of the shown versions in their order, without their content. An object in a
 * list named `steps` or `else` is a step, unless a step sets it as metadata.
 */
const selectSteps = (db: Database, id: string) =>
  db.all<{ version: number; id: string; type: Step["type"] }>(
    sql`select v.version, part.value ->> 'id' as id, part.value ->> 'type' as type
      from automation_versions v cross join json_tree(v.definition, '$.steps') part
      where v.automation_id = ${id} and v.version in (${shownVersions(id)}) and part.type = 'object'
        and (part.path glob '*.steps' or part.path glob '*.else') and part.path not glob '*.metadata.*'
      order by v.version desc, part.id`,
  );

const selectMails = (db: Database, id: string) =>
  db.all<MailCounts & { id: string; version: number; stepId: string; subject: string }>(
    sql`select id, automation_version as version, step_id as "stepId", subject, sent, failed, bounced, suppressed, unknown
      from broadcasts where automation_id = ${id} and automation_version in (${shownVersions(id)})`,
  );

type Counts = Omit<CountRow, "version">[];

const sumOf = (counts: Counts, what: string) =>
  counts.reduce((sum, count) => sum + (count.what === what ? count.n : 0), 0);

function outcomesOf(counts: Counts): Record<Outcome, number> {
  const entries = RUN_OUTCOMES.map((outcome) => [outcome, sumOf(counts, outcome)]);
  return Object.fromEntries(entries) as Record<Outcome, number>; // a number for each
}

const insideOf = (counts: Counts) => sumOf(counts, "in") - sumOf(counts, "out");

/** People at steps are inside; the entry only counts those who begin. */
function peopleOf(counts: Counts): People {
  const outcomes = outcomesOf(counts);
  const inside = insideOf(counts.filter(({ step }) => step !== ""));
  const everybody = inside + totalOf(outcomes);
  return {
    entered: sumOf(
      counts.filter(({ step }) => step === ""),
      "in",
    ),
    inside,
    ...outcomes,
    goalRate: everybody === 0 ? null : outcomes.goal / everybody,
  };
}

/** `out` counts all who leave a step, also those who leave the automation there. */
function passagesOf(counts: Counts) {
  const outcomes = outcomesOf(counts);
  return {
    now: insideOf(counts),
    passed: sumOf(counts, "out") - totalOf(outcomes),
    ...outcomes,
  };
}

const totalOf = (outcomes: Record<Outcome, number>) =>
  Object.values(outcomes).reduce((sum, n) => sum + n, 0);
