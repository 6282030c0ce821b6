import type { Ctx } from "../../../context.ts";
import { notFound } from "../../../errors.ts";
import { DOLLARS_OF_MILLION_MAILS } from "../../../lib/cost-of-mail.ts";
import type { Definition } from "../../../lib/automation-definition.ts";
import { allSteps, type Way } from "../../../lib/automation-steps.ts";
import { DAY_MS } from "../../../lib/durations.ts";
import type { ProjectRow } from "../../access/index.ts";
import { inTurn } from "../../limits/index.ts";
import { selectSegments } from "../../segments/index.ts";
import type { AutomationRow } from "../automation-queries.ts";
import { problemsOf, type AutomationProblem } from "../find-problems.ts";
import { conditionsOf, eventOf, readFacts, topicIdsOf } from "../read-facts.ts";
import { PAGE, readCandidates, type Entrance } from "./candidates.ts";
import { groupsOf, lookAt } from "./look-at.ts";
import { renderMails } from "./render-mails.ts";
import { LEAVES, walker, type Candidate, type Walk } from "./walk-person.ts";

/** What an automation would do if it started now. Of a sample, the figures are extrapolated. */
export interface Rehearsal {
  /** How many people would enter, and how many of them were looked at. */
  people: number;
  lookedAt: number;
  /** In the order of the definition: how many people reach a step, and how many get its mail. */
  steps: { id: string; people: number; mails: number }[];
  leaves: Record<Walk["leaves"], number>;
  mails: number;
  /** Days from now with mails, in order; 0 is the first 24 hours. */
  mailsByDay: { day: number; mails: number }[];
  mostMails: number;
  costUsd: number;
  problems: AutomationProblem[];
  /** The way of the only person, if one was named. */
  person: WalkedPerson | null;
}

export interface WalkedPerson {
  /** False if the condition of the trigger keeps the person out. */
  enters: boolean;
  steps: {
    id: string;
    at: number;
    /** Of a branch, the way taken and its condition; null for `else`. */
    way: Way | null;
    where: string | null;
    /** Of a mail, whether the person gets it, and its subject. */
    isMailed: boolean | null;
    subject: string | null;
  }[];
  leaves: Walk["leaves"];
  at: number;
}

/** Statements that read the facts about people; each looks at 500 people. */
const STATEMENTS_MAX = 400;
/** People who are looked at; above that, a sample. */
const PEOPLE_MAX = 50_000;

/**
 * Leads everybody who would enter an automation through its steps, as they are today, or only one
 * person. Changes nothing. For 50,000 people it takes ten round trips. Throws not_found for a
 * person whom the project does not have, and 503.
 */
export async function rehearse(
  ctx: Ctx,
  project: ProjectRow,
  automation: AutomationRow,
  subscriberId: string | undefined,
): Promise<Rehearsal> {
  const { deps } = ctx;
  const { definition } = automation;
  const now = deps.now();
  const facts = await readFacts(deps, project, definition);
  const entrance = await entranceOf(ctx, project, definition, subscriberId);
  const question = {
    projectId: project.id,
    now,
    event: eventOf(definition),
    groups: groupsOf(new Set(conditionsOf(definition).map(({ where }) => where))),
    topics: allSteps(definition).flatMap(({ step }) => topicIdsOf(step)),
  };
  const most = Math.floor(STATEMENTS_MAX / question.groups.length) * PAGE;
  const { total, found } = await inTurn(ctx, project.id, async () => {
    const pages = await readCandidates(
      deps.db,
      entrance,
      Math.min(PEOPLE_MAX, Math.max(PAGE, most)),
    );
    return { total: pages[0]?.total ?? 0, found: await lookAt(deps.db, pages, question) };
  });
  if (subscriberId !== undefined && found.length === 0) throw notFound("subscriber");
  const walk = walker(definition);
  const walks = found.map((who) => ({ who, enters: enters(definition, who), ...walk(who) }));
  const entered = walks.filter((one) => one.enters);
  const mails = { automation, facts, projectId: project.id };
  const rendered = await renderMails(deps.db, mails, subscriberId === undefined ? entered : walks);
  const [only] = subscriberId === undefined ? [] : walks;
  return {
    ...figuresOf(definition, entered, found.length === 0 ? 1 : total / found.length, now),
    lookedAt: found.length,
    problems: [...problemsOf(definition, facts), ...rendered.problems],
    person: only ? personOf(only, rendered.subjects) : null,
  };
}

type Walked = Walk & { who: Candidate; enters: boolean };

const enters = ({ trigger: { where } }: Definition, { met }: Candidate) =>
  where === undefined || met.has(where);

async function entranceOf(
  { deps: { db, now } }: Ctx,
  { id: projectId }: ProjectRow,
  { trigger }: Definition,
  subscriberId: string | undefined,
): Promise<Entrance> {
  const entrance = { projectId, trigger, segment: undefined, now: now(), subscriberId };
  if (trigger.type !== "segment") return entrance;
  const segments = await selectSegments(db, projectId);
  return { ...entrance, segment: segments.find(({ id }) => id === trigger.segment_id)?.condition };
}

/** Counts; each person stands for `weight` people. */
function figuresOf(definition: Definition, walks: readonly Walked[], weight: number, now: number) {
  const people = new Map<string, number>();
  const mails = new Map<string, number>();
  const days = new Map<number, number>();
  const leaves = Object.fromEntries(LEAVES.map((name) => [name, 0])) as Rehearsal["leaves"];
  const add = <Key>(counts: Map<Key, number>, key: Key) =>
    counts.set(key, (counts.get(key) ?? 0) + 1);
  let mostMails = 0;
  for (const { passed, leaves: why } of walks) {
    leaves[why] += 1;
    for (const { step } of passed) add(people, step.id);
    const mailed = passed.filter(({ isMailed }) => isMailed);
    mostMails = Math.max(mostMails, mailed.length);
    for (const { step, at } of mailed) {
      add(mails, step.id);
      add(days, Math.max(0, Math.floor((at - now) / DAY_MS)));
    }
  }
  const whole = (n = 0) => Math.round(n * weight);
  const sent = whole([...mails.values()].reduce((sum, n) => sum + n, 0));
  return {
    people: whole(walks.length),
    steps: allSteps(definition).map(({ step: { id } }) => ({
      id,
      people: whole(people.get(id)),
      mails: whole(mails.get(id)),
    })),
    leaves: Object.fromEntries(LEAVES.map((name) => [name, whole(leaves[name])])) as typeof leaves,
    mails: sent,
    mailsByDay: [...days]
      .map(([day, n]) => ({ day, mails: whole(n) }))
      .toSorted((one, other) => one.day - other.day),
    mostMails,
    costUsd: Math.ceil((sent * DOLLARS_OF_MILLION_MAILS * 100) / 1_000_000) / 100,
  };
}

const personOf = (
  { enters: isIn, passed, leaves, at }: Walked,
  subjects: ReadonlyMap<string, string>,
): WalkedPerson => ({
  enters: isIn,
  steps: passed.map(({ step, at: reached, way, isMailed }) => ({
    id: step.id,
    at: reached,
    way: way ?? null,
    where: step.type === "branch" && typeof way === "number" ? (step.ways[way]?.where ?? "") : null,
    isMailed: isMailed ?? null,
    subject: subjects.get(step.id) ?? null,
  })),
  leaves,
  at,
});
