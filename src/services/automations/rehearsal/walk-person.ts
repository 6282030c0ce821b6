import type { BranchStep, Definition, Step } from "../../../lib/automation-definition.ts";
import { allSteps, stepsOfWay, waysOf, type Way } from "../../../lib/automation-steps.ts";
import { endOfWait } from "../wait-until.ts";

/** Somebody who would enter, with the facts of today that decide about their way. */
export interface Candidate {
  id: string;
  /** When the person would enter. */
  at: number;
  status: "active" | "pending" | "unsubscribed";
  isSuppressed: boolean;
  /** An IANA name; null for none. */
  zone: string | null;
  /** The topics of the automation's mails to which the person consents. */
  topics: readonly string[];
  /** The conditions of the automation that the person meets today. */
  met: ReadonlySet<string>;
}

export const LEAVES = ["goal", "unsubscribed", "suppressed", "pending", "completed"] as const;

/** A step that the person reaches. */
export interface Passed {
  step: Step;
  /** When the person reaches it. */
  at: number;
  /** Of a branch, the way that the person takes. */
  way?: Way;
  /** Of a mail, whether the person gets it. */
  isMailed?: boolean;
}

/** The way of a person through the steps. */
export interface Walk {
  passed: Passed[];
  /** Why the person leaves; `pending` stays at a mail for people who have confirmed. */
  leaves: (typeof LEAVES)[number];
  at: number;
}

/** Returns a function that leads people through a definition as they are today. */
export function walker(definition: Definition): (who: Candidate) => Walk {
  const { steps, goal } = definition;
  const places = new Map(allSteps(definition).map((place) => [place.step.id, place]));
  return (who) => {
    const passed: Passed[] = [];
    let at = who.at;
    if (who.status === "unsubscribed") return { passed, leaves: "unsubscribed", at };
    if (who.isSuppressed) return { passed, leaves: "suppressed", at };
    if (goal && "where" in goal && who.met.has(goal.where)) return { passed, leaves: "goal", at };
    let step = steps[0];
    while (step) {
      const reached: Passed = { step, at };
      passed.push(reached);
      if (step.type === "end") break;
      const { next } = places.get(step.id) ?? {};
      if (step.type === "branch") {
        reached.way = wayOf(step, who);
        step = stepsOfWay(step, reached.way)[0] ?? next;
        continue;
      }
      if (step.type === "send") {
        const to = step.to ?? "active";
        if (to === "active" && who.status === "pending") return { passed, leaves: "pending", at };
        const consents = step.topic_id === undefined || who.topics.includes(step.topic_id);
        reached.isMailed = to === who.status && consents;
      }
      if (step.type === "wait") at = endOfWait(step, who.zone, at); // its whole span, if for an event
      step = next;
    }
    return { passed, leaves: "completed", at };
  };
}

const wayOf = (branch: BranchStep, { met }: Candidate): Way =>
  waysOf(branch).find((way) => way === "else" || met.has(branch.ways[way]?.where ?? "")) ?? "else";
