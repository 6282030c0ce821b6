import { nextStep, stepsOfWay, type Way } from "../../lib/automation-steps.ts";
import type { BranchStep, SendStep, Step } from "../../lib/automation-definition.ts";
import { notFound } from "../../errors.ts";
import type { DueRun } from "./due-queries.ts";
import { matching, type Page } from "./page.ts";
import { readSendTimes, sendTimeOf } from "./send-rules.ts";
import { counting, type Moved, type Track } from "./track.ts";
import { endOfWait } from "./wait-until.ts";

/** Where some runs are in their move: at a step, or behind the last one. */
interface Place {
  step: Step | undefined;
  /** The step before. */
  last: string;
  track: Track;
  /** True if they have rested at the step, which counts them in already. */
  isThere?: boolean;
}

/** Lets runs take steps up to their next rest or their end. */
export async function takeSteps(page: Page, runs: DueRun[], place: Place): Promise<void> {
  if (runs.length === 0) return;
  const { definition, version } = page;
  const { step, last, isThere = false } = place;
  if (!step) return end(page, runs, place.track, last);
  const { id } = step;
  const track = isThere ? place.track : counting(place.track, [version, id, "in"]);
  const passed = counting(track, [version, id, "out"]);
  const goOn = (those: DueRun[], behind: Track, next = nextStep(definition, id)) =>
    takeSteps(page, those, { step: next, last: id, track: behind });
  /** The next move evaluates conditions and consents on what this one writes. */
  const leaveToNextMove = () => {
    for (const run of runs) rest(page, run, { track, step: id, dueAt: page.now });
  };
  switch (step.type) {
    case "end":
      return end(page, runs, passed, id);
    case "wait": {
      const waitsFor = "event" in step ? step.event.name : null;
      for (const run of runs)
        rest(page, run, { track, step: id, waitsFor, dueAt: endOfWait(step, run.zone, page.now) });
      return;
    }
    case "branch": {
      if (track.isDirty) return leaveToNextMove();
      for (const [way, those] of await waysOfRuns(page, runs, step))
        await goOn(those, passed, stepsOfWay(step, way)[0]);
      return;
    }
    case "send": {
      if (track.isDirty && step.topic_id !== undefined) return leaveToNextMove();
      const { mailed, others } = await send(page, runs, step, track);
      const mail = { step: id, at: page.now, page: page.effects.get(id)?.page ?? "" };
      await goOn(mailed, { ...passed, mails: [...passed.mails, mail] });
      return goOn(others, passed);
    }
    default:
      addEffect(page, step, runs);
      return goOn(runs, { ...passed, isDirty: passed.isDirty || step.type === "set" });
  }
}

function rest(
  { moved, version }: Page,
  run: DueRun,
  {
    waitsFor = null,
    ...at
  }: Pick<Moved, "track" | "step" | "dueAt"> & Partial<Pick<Moved, "waitsFor">>,
): void {
  moved.push({ run, version, outcome: null, waitsFor, ...at });
}

/** Ends runs behind a step that they have passed. */
function end({ moved, version }: Page, runs: DueRun[], track: Track, step: string): void {
  const counted = counting(track, [version, step, "completed"]);
  const end = { version, step, outcome: "completed", dueAt: null, waitsFor: null } as const;
  for (const run of runs) moved.push({ run, track: counted, ...end });
}

function addEffect({ effects, deps }: Page, step: Step, runs: DueRun[]): void {
  const effect = effects.get(step.id) ?? { step, runs: [], page: deps.newId() };
  effect.runs.push(...runs);
  effects.set(step.id, effect);
}

async function waysOfRuns(
  page: Page,
  runs: DueRun[],
  branch: BranchStep,
): Promise<Map<Way, DueRun[]>> {
  const first = await matching(
    page,
    runs,
    branch.ways.map(({ where }) => where),
  );
  return Map.groupBy(runs, ({ subscriberId }): Way => first.get(subscriberId) ?? "else");
}

/**
 * Mails those who may get a mail now, and lets those rest who may later. `others` go on without it:
 * they do not consent to its topic, or have confirmed already and it is for people who have not.
 */
async function send(page: Page, runs: DueRun[], step: SendStep, track: Track) {
  const { rules, now } = page;
  if (!page.mailed.has(step.id)) throw notFound("broadcast");
  const {
    mayGet = [],
    waits = [],
    others = [],
  } = Object.groupBy(runs, (run) => standingOf(run, step));
  for (const run of waits) rest(page, run, { track, step: step.id, dueAt: null });
  const times = await readSendTimes(page, mayGet);
  const mailed = mayGet.filter((run) => {
    const dueAt = sendTimeOf(rules, times, run, track.mails, now);
    if (dueAt > now) rest(page, run, { track, step: step.id, dueAt });
    return dueAt <= now;
  });
  if (mailed.length > 0) addEffect(page, step, mailed);
  return { mailed, others };
}

/**
 * Tells who may get a mail, who waits for it until they confirm their address, and for whom it is
 * not.
 */
function standingOf({ status, topics }: DueRun, { to = "active", topic_id: topic }: SendStep) {
  if (status === "pending" && to === "active") return "waits";
  const consents = topic === undefined || (JSON.parse(topics) as string[]).includes(topic);
  return status === to && consents ? "mayGet" : "others";
}
