/*
 * An automation in memory, after docs/automations.md alone: what happens to people, and the times
 * at which the sender looks, lead to mails, rests, outcomes and counts. Tests compare the service
 * with it. Nothing here is fast.
 */
import type {
  BranchStep,
  Definition,
  Goal,
  SendStep,
  SetStep,
  Step,
  Trigger,
  Until,
  WaitStep,
} from "../../src/lib/automation-definition.ts";
import { parseCondition } from "../../src/services/segments/index.ts";
import { fits } from "./condition-model.ts";
import { DAY, HOUR, MINUTE } from "./times.ts";

export interface Person {
  id: string;
  status: "active" | "pending" | "unsubscribed" | "deleted";
  isSuppressed: boolean;
  tags: string[];
  metadata: Record<string, unknown>;
  /** Names of topics, which are their ids here, too. */
  topics: string[];
}

/** What happens to somebody, or to the automation itself. */
export type Fact = FactOfPerson | { type: "pause" | "start" | "stop" } | Edit;

/** A new version. */
export interface Edit {
  type: "edit";
  steps: Step[];
  goal: Goal | undefined;
  inside: "stay" | "move";
}

type FactOfPerson =
  | { type: "event"; who: string; name: string }
  | { type: "joins" | "confirms" | "leaves" | "is_suppressed" | "is_deleted"; who: string }
  | { type: "tag" | "untag"; who: string; tag: string }
  | { type: "consents" | "revokes"; who: string; topic: string }
  | { type: "is_entered"; who: string };

export interface Rules {
  /** Times of day in the time zone of the person; null for none. */
  quietHours: { from: string; to: string } | null;
  /** 0 for no limit. */
  maxPerWeek: number;
  /** Between two mails; 0 for none. */
  minDays: number;
}

export interface ModelRun {
  who: string;
  /** The version that the person is in, and the one to which they move on at their next step. */
  definition: Definition;
  next: Definition | null;
  /** The step at which the person rests, or rested last; "" before the first. */
  step: string;
  /** Infinity for somebody who has to confirm first. */
  dueAt: number;
  waitsFor: string | null;
  isGoalMet: boolean;
  endedAt: number | null;
  outcome: string | null;
}

export interface ModelMail {
  who: string;
  step: string;
  subject: string;
  topic: string | undefined;
  at: number;
  /** Null until the moves of the same look are over. */
  isSent: boolean | null;
}

export class AutomationModel {
  readonly runs: ModelRun[] = [];
  readonly mails: ModelMail[] = [];
  /** What steps have told others, such as "webhook ann s1". */
  readonly told: string[] = [];
  /** Counts by `step what`, such as "welcome in". */
  readonly counts: Record<string, number> = {};
  private readonly people: Map<string, Person>;
  private state: "active" | "paused" | "stopped" = "active";

  /** The newest version. The id of a segment is its condition here. */
  private definition: Definition;
  private lookedAt = -Infinity;
  private readonly rules: Rules;

  constructor(
    definition: Definition,
    people: readonly Person[],
    rules: Rules = { quietHours: null, maxPerWeek: 0, minDays: 0 },
  ) {
    this.definition = definition;
    this.rules = rules;
    this.people = new Map(people.map((person) => [person.id, structuredClone(person)]));
  }

  /** The runs that have not ended, as "who step". */
  get rests(): string[] {
    return this.inside.map(({ who, step }) => `${who} ${step}`);
  }

  private get inside(): ModelRun[] {
    return this.runs.filter(({ endedAt }) => endedAt === null);
  }

  happen(fact: Fact, at: number): void {
    if ("who" in fact) {
      const person = this.people.get(fact.who);
      if (person && person.status !== "deleted") this.happenTo(person, fact, at);
    } else if (this.state === "stopped") return;
    else if (fact.type === "stop") {
      this.state = "stopped";
      for (const run of this.inside) this.end(run, "stopped", at);
    } else if (fact.type === "edit") {
      const { steps, goal, inside } = fact;
      if (JSON.stringify([steps, goal]) === JSON.stringify(bodyOf(this.definition))) return;
      const { goal: _goal, ...others } = this.definition;
      this.definition = { ...others, steps, ...(goal && { goal }) };
      if (inside === "move") for (const run of this.inside) run.next = this.definition;
    } else this.state = fact.type === "pause" ? "paused" : "active";
  }

  private happenTo(person: Person, fact: FactOfPerson, at: number) {
    const { trigger } = this.definition;
    const inside = this.inside.filter(({ who }) => who === person.id);
    switch (fact.type) {
      case "event":
        if (trigger.type === "event" && trigger.event === fact.name) this.enter(person, at);
        for (const run of inside) {
          const goals = [run.definition.goal, run.next?.goal];
          const isGoal = goals.some((goal) => goal && "event" in goal && goal.event === fact.name);
          if (isGoal) run.isGoalMet = true;
          if (isGoal || run.waitsFor === fact.name) run.dueAt = at;
        }
        break;
      case "joins":
        if (person.status !== "unsubscribed") break;
        person.status = "active";
        if (trigger.type === "joined") this.enter(person, at);
        break;
      case "confirms":
        if (person.status !== "pending") break;
        person.status = "active";
        if (trigger.type === "confirmed") this.enter(person, at);
        for (const run of inside) if (run.dueAt === Infinity) run.dueAt = at;
        break;
      case "leaves":
        if (person.status === "unsubscribed") break;
        person.status = "unsubscribed";
        for (const run of inside) run.dueAt = at;
        break;
      case "is_suppressed":
        person.isSuppressed = true;
        break;
      case "is_deleted":
        person.status = "deleted";
        for (const run of inside) if (run.dueAt === Infinity) run.dueAt = at;
        break;
      case "tag":
        if (person.tags.includes(fact.tag)) break;
        person.tags.push(fact.tag);
        if (trigger.type === "tag_added" && trigger.tag === fact.tag) this.enter(person, at);
        break;
      case "untag":
        if (!person.tags.includes(fact.tag)) break;
        person.tags = person.tags.filter((tag) => tag !== fact.tag);
        if (trigger.type === "tag_removed" && trigger.tag === fact.tag) this.enter(person, at);
        break;
      case "consents":
        if (person.topics.includes(fact.topic)) break;
        person.topics.push(fact.topic);
        if (trigger.type === "topic" && trigger.topic_id === fact.topic) this.enter(person, at);
        break;
      case "revokes":
        person.topics = person.topics.filter((topic) => topic !== fact.topic);
        break;
      case "is_entered":
        if (trigger.type === "manual" && person.status !== "unsubscribed") this.enter(person, at);
    }
  }

  /** Nobody is inside twice, and who has been inside enters again as the definition allows it. */
  private enter({ id }: Person, at: number) {
    if (this.state !== "active") return;
    const { definition } = this;
    const { reentry } = definition;
    const mayReturn = ({ endedAt }: ModelRun) => {
      if (endedAt === null || reentry === "never") return false;
      return endedAt <= at - (reentry === "always" ? MINUTE : reentry.after_days * DAY);
    };
    if (!this.runs.filter(({ who }) => who === id).every(mayReturn)) return;
    const fresh = { step: "", waitsFor: null, isGoalMet: false, endedAt: null, outcome: null };
    this.runs.push({ who: id, definition, next: null, dueAt: at, ...fresh });
  }

  /** Lets in those of a segment or a date, and makes the moves that are due. */
  look(at: number): void {
    if (this.state !== "active") return;
    this.letIn(this.definition.trigger, at);
    for (const run of this.inside) if (run.dueAt <= at) this.move(run, at);
    for (const mail of this.mails) {
      const { topics = [] } = this.people.get(mail.who) ?? {};
      // What counts is the consent when the mail goes out.
      mail.isSent ??= mail.topic === undefined || topics.includes(mail.topic);
    }
  }

  /** Looks at a segment each hour, and at dates each day. */
  private letIn(trigger: Trigger, at: number) {
    if (trigger.type !== "segment" && trigger.type !== "date") return;
    const isDue =
      trigger.type === "segment" ? at >= this.lookedAt + HOUR : dayOf(at) > dayOf(this.lookedAt);
    if (!isDue) return;
    this.lookedAt = at;
    for (const person of this.people.values()) {
      if (person.status === "unsubscribed" || person.status === "deleted") continue;
      const isIn =
        trigger.type === "segment"
          ? this.meets(person, trigger.segment_id, at)
          : isOnDay(trigger, String(person.metadata[trigger.field]), at);
      if (isIn) this.enter(person, at);
    }
  }

  private move(run: ModelRun, at: number): void {
    const { next: other } = run;
    if (other && (run.step === "" || all(other.steps).some(({ id }) => id === run.step))) {
      Object.assign(run, { definition: other, next: null });
      if (run.step !== "") this.count(run.step, "out"); // of the one version,
      if (run.step !== "") this.count(run.step, "in"); // and into the other
    }
    const { trigger, goal, steps } = run.definition;
    const person = this.people.get(run.who);
    if (run.step === "") {
      if (trigger.where !== undefined && !this.meets(person, trigger.where, at)) {
        this.runs.splice(this.runs.indexOf(run), 1); // leaves no trace
        return;
      }
      this.count("", "in");
    }
    if (!person || person.status === "deleted") return this.end(run, "deleted", at);
    if (person.status === "unsubscribed") return this.end(run, "unsubscribed", at);
    if (person.isSuppressed) return this.end(run, "suppressed", at);
    if (run.isGoalMet || (goal && "where" in goal && this.meets(person, goal.where, at)))
      return this.end(run, "goal", at);
    run.waitsFor = null;
    const rested = all(steps).find(({ id }) => id === run.step);
    // A wait is over once it is due, while any other step is still to be taken.
    const next = rested && rested.type !== "wait" ? rested : this.after(run, run.step, person, at);
    this.walk(run, person, next, at);
  }

  /**
   * Takes steps until the first rest or the end. A branch, or a mail of a topic, after a change of the
   * person is a move of its own, which begins with the reasons to leave.
   */
  private walk(run: ModelRun, person: Person, first: Step | undefined, at: number) {
    let isChanged = false;
    for (let step = first; step; step = this.after(run, step.id, person, at)) {
      if (run.step !== step.id) {
        this.count(run.step, "out");
        this.count(step.id, "in");
        run.step = step.id;
      }
      if (step.type === "end") break;
      const asks = step.type === "branch" || (step.type === "send" && step.topic_id !== undefined);
      if (asks && isChanged) return this.move(run, at);
      if (step.type === "wait") return this.wait(run, step, person, at);
      if (step.type === "send" && !this.send(run, step, person, at)) return;
      if (step.type === "set") {
        this.set(person, step);
        isChanged = true;
      }
      if (step.type === "webhook" || step.type === "notify")
        this.told.push(`${step.type} ${person.id} ${step.id}`);
    }
    this.end(run, "completed", at);
  }

  private wait(run: ModelRun, step: WaitStep, person: Person, at: number) {
    if ("for" in step) run.dueAt = at + spanOf(step.for);
    else if ("until" in step) run.dueAt = nextTime(step.until, zoneOf(person), at);
    else {
      run.dueAt = at + spanOf(step.event.within);
      run.waitsFor = step.event.name;
    }
  }

  /** Tells whether the person goes on: with the mail, or without one that is for others. */
  private send(run: ModelRun, step: SendStep, person: Person, at: number): boolean {
    const to = step.to ?? "active";
    if (to !== person.status) {
      if (person.status === "active") return true; // has confirmed already
      run.dueAt = Infinity;
      return false;
    }
    const { topic_id: topic, subject = "" } = step;
    if (topic !== undefined && !person.topics.includes(topic)) return true;
    run.dueAt = this.firstTime(person, at);
    if (run.dueAt > at) return false;
    this.mails.push({ who: person.id, step: step.id, subject, topic, at, isSent: null });
    return true;
  }

  /** The first time from `at` on at which the rules allow a mail. */
  private firstTime(person: Person, at: number): number {
    const { quietHours, maxPerWeek, minDays } = this.rules;
    const zone = zoneOf(person);
    const own = this.mails.filter(({ who }) => who === person.id).map((mail) => mail.at);
    const isAllowed = (then: number) => {
      const recent = (days: number) =>
        own.filter((mailedAt) => mailedAt > then - days * DAY).length;
      if (maxPerWeek > 0 && recent(7) >= maxPerWeek) return false;
      if (recent(minDays) > 0) return false;
      if (!quietHours) return true;
      const { from, to } = quietHours;
      const { time } = clockIn(zone, then);
      return from <= to ? time < from || time >= to : time < from && time >= to;
    };
    const later = own.flatMap((mailedAt) => [mailedAt + 7 * DAY, mailedAt + minDays * DAY]);
    const times = [at, ...later.filter((then) => then > at)];
    const ends = quietHours
      ? times.map((then) => nextTime({ time: quietHours.to, zone }, zone, then))
      : [];
    return Math.min(...[...times, ...ends].filter(isAllowed));
  }

  private set(person: Person, { add_tags, remove_tags, metadata, topics }: SetStep) {
    const kept = person.tags.filter((tag) => !remove_tags?.includes(tag));
    person.tags = [...new Set([...kept, ...(add_tags ?? [])])];
    Object.assign(person.metadata, metadata);
    for (const [topic, isSubscribed] of Object.entries(topics ?? {})) {
      person.topics = person.topics.filter((other) => other !== topic);
      if (isSubscribed) person.topics.push(topic);
    }
  }

  /** The step after one, into a branch's way and out at its end; of "", the first. */
  private after(run: ModelRun, id: string, person: Person, at: number): Step | undefined {
    const within = (steps: Step[], rest: Step[]): Step[] | undefined => {
      if (id === "") return steps;
      for (const [n, step] of steps.entries()) {
        const behind = [...steps.slice(n + 1), ...rest];
        if (step.id === id && step.type === "branch")
          return [...this.wayOf(step, person, at), ...behind];
        if (step.id === id) return behind;
        if (step.type !== "branch") continue;
        for (const way of [...step.ways.map(({ steps: inside }) => inside), step.else]) {
          const found = within(way, behind);
          if (found) return found;
        }
      }
      return undefined;
    };
    return within(run.definition.steps, [])?.[0];
  }

  private wayOf(branch: BranchStep, person: Person, at: number): Step[] {
    return branch.ways.find(({ where }) => this.meets(person, where, at))?.steps ?? branch.else;
  }

  private meets(person: Person | undefined, where: string, at: number): boolean {
    if (!person || person.status === "deleted") return false;
    const unused = { email: "", name: "", createdAt: 0, openedAt: null, clickedAt: null };
    return fits(parseCondition(where), { ...person, ...unused, mailedAt: [] }, at);
  }

  private end(run: ModelRun, outcome: string, at: number) {
    if (run.step !== "" || outcome !== "stopped") {
      // whoever is stopped before their first move has not been counted in
      this.count(run.step, "out");
      this.count(run.step, outcome);
    }
    Object.assign(run, { endedAt: at, outcome, waitsFor: null });
  }

  private count(step: string, what: string) {
    const key = `${step} ${what}`;
    this.counts[key] = (this.counts[key] ?? 0) + 1;
  }
}

const all = (steps: Step[]): Step[] =>
  steps.flatMap((step) =>
    step.type === "branch"
      ? [step, ...all([...step.ways.flatMap((way) => way.steps), ...step.else])]
      : [step],
  );

const bodyOf = ({ steps, goal }: Definition) => [steps, goal];

const dayOf = (at: number) => Math.floor(at / DAY);

/** Tells whether a day, or an anniversary of it, was `days` ago. */
function isOnDay(
  { days = 0, yearly = false }: Extract<Trigger, { type: "date" }>,
  value: string,
  at: number,
): boolean {
  const [year = 0, month = 0, day = 0] = value.split("-").map(Number);
  const thisYear = new Date(at).getUTCFullYear();
  const years = yearly ? [thisYear - 1, thisYear, thisYear + 1] : [year];
  return years.some((one) => dayOf(Date.UTC(one, month - 1, day)) + days === dayOf(at));
}

const UNITS: Record<string, number> = { minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY };

function spanOf(text: string): number {
  const [amount, unit = ""] = text.split(" ");
  return Number(amount) * (UNITS[unit.replace(/s$/, "")] ?? Number.NaN);
}

const zoneOf = ({ metadata: { timezone } }: Person) =>
  typeof timezone === "string" ? timezone : "UTC";

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockIn(timeZone: string, at: number): { weekday: string; time: string } {
  const parts = { weekday: "long", hour: "2-digit", minute: "2-digit" } as const;
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", ...parts });
  clocks.set(timeZone, clock);
  const [weekday = "", time = ""] = clock.format(at).toLowerCase().split(/,? /);
  return { weekday, time };
}

const QUARTER = 15 * MINUTE;

/** The next time at which the clock of the zone shows it, among full quarters of hours. */
function nextTime({ weekday, time, zone }: Until, ownZone: string, after: number): number {
  const timeZone = zone === "recipient" ? ownZone : zone;
  for (let at = Math.floor(after / QUARTER) * QUARTER + QUARTER; ; at += QUARTER) {
    const clock = clockIn(timeZone, at);
    if (clock.time === time && (weekday === undefined || clock.weekday === weekday)) return at;
  }
}
