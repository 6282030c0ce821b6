/*
 * An automation in memory, after docs/automations.md alone: what happens to people, and the times
 * at which the sender looks, lead to mails, rests, outcomes and counts. Tests compare the service
 * with it. Nothing here is fast.
 */
import type {
  BranchStep,
  Definition,
  SendStep,
  SetStep,
  Step,
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
  /** Ids of topics. */
  topics: string[];
}

/** What happens to somebody, or to the automation itself. */
export type Fact = FactOfPerson | { type: "pause" | "start" | "stop" };

type FactOfPerson =
  | { type: "event"; who: string; name: string }
  | { type: "joins" | "confirms" | "leaves" | "is_suppressed" | "is_deleted"; who: string }
  | { type: "tag" | "untag"; who: string; tag: string }
  | { type: "consents"; who: string; topic: string }
  | { type: "is_entered"; who: string };

export interface Rules {
  /** Times of day in the time zone of the person; null for none. */
  quietHours: { from: string; to: string } | null;
  /** 0 for no limit. */
  maxPerWeek: number;
}

export interface ModelRun {
  who: string;
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
  at: number;
}

export class AutomationModel {
  readonly runs: ModelRun[] = [];
  readonly mails: ModelMail[] = [];
  /** Counts by `step what`, such as "welcome in". */
  readonly counts: Record<string, number> = {};
  private readonly people: Map<string, Person>;
  private state: "active" | "paused" | "stopped" = "active";

  private readonly definition: Definition;
  private readonly rules: Rules;

  constructor(
    definition: Definition,
    people: readonly Person[],
    rules: Rules = { quietHours: null, maxPerWeek: 0 },
  ) {
    this.definition = definition;
    this.rules = rules;
    this.people = new Map(people.map((person) => [person.id, structuredClone(person)]));
  }

  /** The runs that have not ended, as "who step". */
  get rests(): string[] {
    const inside = this.runs.filter(({ endedAt }) => endedAt === null);
    return inside.map(({ who, step }) => `${who} ${step}`);
  }

  happen(fact: Fact, at: number): void {
    if ("who" in fact) {
      const person = this.people.get(fact.who);
      if (person && person.status !== "deleted") this.happenTo(person, fact, at);
    } else if (fact.type === "stop") {
      this.state = "stopped";
      for (const run of this.runs) if (run.endedAt === null) this.end(run, "stopped", at);
    } else this.state = fact.type === "pause" ? "paused" : "active";
  }

  private happenTo(person: Person, fact: FactOfPerson, at: number) {
    const { trigger, goal } = this.definition;
    const inside = this.runs.filter(({ who, endedAt }) => who === person.id && endedAt === null);
    switch (fact.type) {
      case "event":
        if (trigger.type === "event" && trigger.event === fact.name) this.enter(person, at);
        for (const run of inside) {
          const isGoal = goal !== undefined && "event" in goal && goal.event === fact.name;
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
      case "is_entered":
        if (trigger.type === "manual" && person.status !== "unsubscribed") this.enter(person, at);
    }
  }

  /** Nobody is inside twice, and who has been inside enters again as the definition allows it. */
  private enter({ id }: Person, at: number) {
    if (this.state !== "active") return;
    const { reentry } = this.definition;
    const mayReturn = ({ endedAt }: ModelRun) => {
      if (endedAt === null || reentry === "never") return false;
      return endedAt <= at - (reentry === "always" ? MINUTE : reentry.after_days * DAY);
    };
    if (!this.runs.filter(({ who }) => who === id).every(mayReturn)) return;
    const fresh = { step: "", waitsFor: null, isGoalMet: false, endedAt: null, outcome: null };
    this.runs.push({ who: id, dueAt: at, ...fresh });
  }

  /** Makes the moves that are due. */
  look(at: number): void {
    if (this.state !== "active") return;
    for (const run of this.runs.filter(({ endedAt }) => endedAt === null))
      if (run.dueAt <= at) this.move(run, at);
  }

  private move(run: ModelRun, at: number): void {
    const { trigger, goal } = this.definition;
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
    const rested = all(this.definition.steps).find(({ id }) => id === run.step);
    // A wait is over once it is due, while any other step is still to be taken.
    const next = rested && rested.type !== "wait" ? rested : this.after(run.step, person, at);
    this.walk(run, person, next, at);
  }

  /**
   * Takes steps until the first rest or the end. A branch after a change of the person is a move of
   * its own, which begins with the reasons to leave.
   */
  private walk(run: ModelRun, person: Person, first: Step | undefined, at: number) {
    let isChanged = false;
    for (let step = first; step; step = this.after(step.id, person, at)) {
      if (run.step !== step.id) {
        this.count(run.step, "out");
        this.count(step.id, "in");
        run.step = step.id;
      }
      if (step.type === "end") break;
      if (step.type === "wait") return this.wait(run, step, person, at);
      if (step.type === "send" && !this.send(run, step, person, at)) return;
      if (step.type === "branch" && isChanged) return this.move(run, at);
      if (step.type === "set") {
        this.set(person, step);
        isChanged = true;
      }
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
    if (!this.mayGet(person, at)) {
      run.dueAt = at; // the first time allowed; until then, each look changes nothing
      return false;
    }
    this.mails.push({ who: person.id, step: step.id, at });
    return true;
  }

  private mayGet(person: Person, at: number): boolean {
    const { quietHours, maxPerWeek } = this.rules;
    const recent = this.mails.filter((mail) => mail.who === person.id && mail.at > at - 7 * DAY);
    if (maxPerWeek > 0 && recent.length >= maxPerWeek) return false;
    if (!quietHours) return true;
    const { from, to } = quietHours;
    const { time } = clockIn(zoneOf(person), at);
    return from <= to ? time < from || time >= to : time < from && time >= to;
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
  private after(id: string, person: Person, at: number): Step | undefined {
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
    return within(this.definition.steps, [])?.[0];
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
    this.count(run.step, "out");
    this.count(run.step, outcome);
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
