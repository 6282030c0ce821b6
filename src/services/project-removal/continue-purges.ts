import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { logLine } from "../../lib/log-line.ts";
import { purgeEntries } from "../email-log/index.ts";
import { endLinks } from "../tracking/index.ts";
import { endPurge, purgeStep, removeRows, ROWS_PER_STEP } from "./purge-project.ts";
import { selectPurges } from "./queries.ts";

/** The number of deleted projects handled per run of the sweep. */
const PROJECTS_PER_RUN = 4;

/**
 * The number of log steps per run, for all projects together: 1,000 entries in two statements each.
 */
const LOG_STEPS_PER_RUN = 40;

/**
 * The number of repeated statements per run for tables with more rows than a step removes, for all
 * projects together: 40,000 rows. With the steps and the run's other jobs they stay below the 1,000
 * queries that D1 allows per invocation.
 */
const REPEATS_PER_RUN = 80;

/** The time after which a run begins no further step for the log, and likewise for the tables. */
const MS_PER_RUN = 20_000;

interface RunLimits {
  steps: number;
  endsAt: number;
}

/**
 * Continues the purge of deleted projects: up to 40,000 log entries, one step per project, and up
 * to 40,000 further rows of larger tables. A purge never ends before the tracked links of its
 * project. Logs the progress. Returns the number of projects it handled.
 */
export async function continuePurges(deps: Deps): Promise<number> {
  const purges = await selectPurges(deps.db, PROJECTS_PER_RUN);
  if (purges.length === 0) return 0;
  const share = (all: number) => Math.ceil(all / purges.length);
  const done = { ended: 0, entries: 0, rows: 0 };
  const logEndsAt = deps.now() + MS_PER_RUN;
  for (const { projectId } of purges) {
    const limits = { steps: share(LOG_STEPS_PER_RUN), endsAt: logEndsAt };
    done.entries += await purgeEntries(deps, projectId, limits);
  }
  const endsAt = deps.now() + MS_PER_RUN;
  for (const { projectId } of purges) {
    const limits = { steps: share(REPEATS_PER_RUN), endsAt };
    await endLinks(deps, projectId);
    const { rows, isEnded } = await purgeTables(deps, projectId, limits);
    done.rows += rows;
    if (isEnded) done.ended += 1;
  }
  logLine("info", "projects_purged", { projects: purges.length, ...done });
  return purges.length;
}

/** Runs one step, and repeats its deletes for the tables that have more rows. */
async function purgeTables({ db, now }: Deps, projectId: string, { steps, endsAt }: RunLimits) {
  const removals = removeRows(db, projectId);
  const step = await runBatch(db, [...purgeStep(db, projectId, removals), endPurge(db, projectId)]);
  const changes = step.map(({ meta }) => meta.changes);
  const isEnded = changes.pop() === 1;
  let removed = changes.slice(1);
  let rows = sum(removed);
  let full = removals.filter((_, index) => isFull(removed[index]));
  for (let left = steps; full.length > 0 && left > 0 && now() < endsAt;) {
    const some = full.slice(0, left);
    left -= some.length;
    removed = (await runBatch(db, some)).map(({ meta }) => meta.changes);
    rows += sum(removed);
    full = some.filter((_, index) => isFull(removed[index]));
  }
  return { rows, isEnded };
}

const isFull = (rows = 0) => rows >= ROWS_PER_STEP;
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
