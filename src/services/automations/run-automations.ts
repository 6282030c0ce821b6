import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { AppError, reasonOf } from "../../errors.ts";
import { pauseAutomationByItself } from "../broadcasts/index.ts";
import { selectProject } from "../projects/index.ts";
import { selectDueAutomations, type DueAutomation } from "./due-queries.ts";
import { movePage } from "./move-page.ts";
import type { Budget, SendRules } from "./page.ts";
import { sendRulesOf } from "./send-rules.ts";
import { walkEntries } from "./walk-entries.ts";

/**
 * Makes the moves of a project's automations that are due, and looks for people whom a segment or a
 * date lets in. Automations take turns, a page each, until nothing is due or the budget is spent.
 * Pauses an automation of which a step cannot be taken. Returns when the next work is due; undefined
 * for never.
 */
export async function runAutomations(
  deps: Deps,
  projectId: string,
  budget: Budget,
): Promise<number | undefined> {
  const { db, now } = deps;
  for (;;) {
    budget.statements -= 2;
    const [automations, [project]] = await runBatch(db, [
      selectDueAutomations(db, projectId),
      selectProject(db, projectId),
    ]);
    const at = now();
    const due = automations.filter((one) => isDue(one.runsDueAt, at) || isDue(one.walkDueAt, at));
    const times = automations.flatMap(({ runsDueAt, walkDueAt }) => [runsDueAt, walkDueAt]);
    if (due.length === 0) return firstOf(times);
    const rules = sendRulesOf(project);
    for (const automation of due) {
      if (budget.statements <= 0) return now();
      await work(deps, automation, rules, budget);
    }
  }
}

const isDue = (dueAt: number | null, now: number) => dueAt !== null && dueAt <= now;

function firstOf(times: (number | null)[]): number | undefined {
  const first = Math.min(...times.map((at) => at ?? Infinity));
  return first === Infinity ? undefined : first;
}

async function work(
  deps: Deps,
  automation: DueAutomation,
  rules: SendRules,
  budget: Budget,
): Promise<void> {
  try {
    if (isDue(automation.walkDueAt, deps.now())) await walkEntries(deps, automation, budget);
    if (isDue(automation.runsDueAt, deps.now())) await movePage(deps, automation, rules, budget);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await pauseAutomationByItself(deps, automation, reasonOf(error));
  }
}
