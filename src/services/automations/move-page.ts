import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import { allSteps, firstStep, nextStep, stepNamed } from "../../lib/automation-steps.ts";
import type { Definition, Step } from "../../lib/automation-definition.ts";
import { commitPage } from "./commit-page.ts";
import {
  definitionOf,
  selectDueRuns,
  selectStepMails,
  selectVersions,
  type DueAutomation,
  type DueRun,
  type VersionRow,
} from "./due-queries.ts";
import { meeting, type Budget, type Page, type SendRules } from "./page.ts";
import { takeSteps } from "./take-steps.ts";
import { counting, type Moved, type Track } from "./track.ts";

/**
 * Moves a page of due runs of an automation: reads them, evaluates conditions for all of them at
 * once, and commits their moves. Throws `AppError` if a step cannot be taken.
 */
export async function movePage(
  deps: Deps,
  automation: DueAutomation,
  rules: SendRules,
  budget: Budget,
): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  budget.statements -= 3;
  const [runs, versions, mails] = await runBatch(db, [
    selectDueRuns(db, automation, now),
    selectVersions(db, automation, now),
    selectStepMails(db, automation.id),
  ]);
  const [first] = runs;
  if (!first) return; // somebody else has moved them
  const { version, definition } = versionFor(first, versions);
  const mailed = mails.flatMap((mail) => (mail.version === version ? [mail.step] : []));
  const page: Page = {
    deps,
    automation,
    rules,
    budget,
    now,
    version,
    definition,
    mailed: new Set(mailed),
    moved: [],
    effects: new Map(),
  };
  const unmet = await startMoves(page, runs);
  const effects = allSteps(definition).flatMap(({ step }) => page.effects.get(step.id) ?? []);
  budget.statements -= await commitPage(deps, { ...page, unmet, effects });
}

/** Returns the version by which runs move: the one to which theirs moves on if it has their step. */
function versionFor({ version, step }: DueRun, versions: VersionRow[]) {
  const known = versions.map((one) => ({ version: one.version, definition: definitionOf(one) }));
  const own = known.find((one) => one.version === version);
  const next = known.at(-1);
  if (!own || !next) throw notFound("automation");
  return step === "" || stepNamed(next.definition, step) ? next : own;
}

/**
 * Lets those leave who have to, and the others take their steps. Returns the runs that have not
 * begun and do not meet the condition of the trigger.
 */
async function startMoves(page: Page, runs: DueRun[]): Promise<DueRun[]> {
  const { definition, version, moved } = page;
  const { step = "", version: old = version } = runs[0] ?? {};
  const { trigger, goal } = definition;
  const entered =
    step === "" && trigger.where !== undefined ? await meeting(page, runs, trigger.where) : runs;
  const track = startTrack(step, old, version);
  const leave = (run: DueRun, outcome: NonNullable<Moved["outcome"]>) =>
    moved.push({
      run,
      version,
      step,
      outcome,
      dueAt: null,
      waitsFor: null,
      track: counting(track, [version, step, "out"], [version, step, outcome]),
    });
  const staying = entered.filter((run) => {
    const outcome = exitOf(run);
    if (outcome) leave(run, outcome);
    return !outcome;
  });
  const atGoal = new Set(goal && "where" in goal ? await meeting(page, staying, goal.where) : []);
  for (const run of atGoal) leave(run, "goal");
  const going = staying.filter((run) => !atGoal.has(run));
  await takeSteps(page, going, startOf(definition, step, track, version));
  const isIn = new Set(entered);
  return runs.filter((run) => !isIn.has(run));
}

function exitOf({ status, suppressed, goalMet }: DueRun): Moved["outcome"] {
  if (status === null) return "deleted";
  if (status === "unsubscribed") return "unsubscribed";
  if (suppressed === 1) return "suppressed";
  return goalMet === 1 ? "goal" : null;
}

/** Returns the counts of an entry, or of the change to another version. */
function startTrack(step: string, old: number, version: number): Track {
  const none: Track = { counts: [], mails: [], isDirty: false };
  if (step === "") return counting(none, [version, "", "in"]);
  return old === version ? none : counting(none, [old, step, "out"], [version, step, "in"]);
}

/** Returns where runs go on that rest at a step: after a wait that is over, or at the step itself. */
function startOf(definition: Definition, id: string, track: Track, version: number) {
  const at = stepNamed(definition, id);
  if (at && at.type !== "wait") return { step: at, last: id, track, isThere: true };
  const step: Step | undefined = id === "" ? firstStep(definition) : nextStep(definition, id);
  const left = counting(track, [version, id, "out"]);
  return { step, last: id, track: left, isThere: false };
}
