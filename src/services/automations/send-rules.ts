import { sql } from "drizzle-orm";
import { runBatch } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import { audienceSettingsOf } from "../projects/index.ts";
import { selectLastMailed } from "../segments/index.ts";
import type { DueRun } from "./due-queries.ts";
import type { Page, SendRules } from "./page.ts";
import type { RunMail } from "./track.ts";
import { endOfQuiet } from "./wait-until.ts";

const WEEK_MS = 7 * DAY_MS;

export function sendRulesOf(project: ProjectRow | undefined): SendRules {
  const { minDaysBetweenBroadcasts: minDays, automations } = audienceSettingsOf(project);
  return { ...automations, minDays };
}

/** When some subscribers were mailed, by their ids. */
export interface SendTimes {
  /** The last mail of a broadcast or automation within the days of the rule. */
  last: Map<string, number>;
  /** The mails of all automations of the last seven days, the oldest first. */
  week: Map<string, number[]>;
}

/** Reads what the rules need to know of the subscribers of some runs: nothing without such rules. */
export async function readSendTimes(
  { deps: { db }, automation: { projectId }, rules, budget, now }: Page,
  runs: DueRun[],
): Promise<SendTimes> {
  const { maxPerWeek, minDays } = rules;
  const ids = runs.map(({ subscriberId }) => subscriberId);
  const since = now - Math.max(minDays * DAY_MS, maxPerWeek > 0 ? WEEK_MS : 0);
  if (runs.length === 0 || since === now) return { last: new Map(), week: new Map() };
  budget.statements -= 2;
  const [mails, mailed] = await runBatch(db, [
    db.all<{ id: string; at: number }>(
      sql`select run.subscriber_id as id, mail.value ->> 'at' as at
        from json_each(${JSON.stringify(ids)}) person
          cross join automation_runs run on run.subscriber_id = person.value and run.project_id = ${projectId}
          cross join json_each(run.mails) mail
        where mail.value ->> 'at' > ${since} order by 2`,
    ),
    selectLastMailed(db, projectId, ids, now - minDays * DAY_MS),
  ]);
  const last = new Map(mailed.map(({ id, at }) => [id, at]));
  for (const { id, at } of mails) last.set(id, Math.max(at, last.get(id) ?? 0));
  const ofWeek = mails.filter(({ at }) => at > now - WEEK_MS);
  const week = Map.groupBy(ofWeek, ({ id }) => id);
  return { last, week: new Map([...week].map(([id, those]) => [id, those.map(({ at }) => at)])) };
}

/**
 * Returns the first time from `now` on at which the rules allow a mail to the subscriber of a run,
 * after the mails of its move so far.
 */
export function sendTimeOf(
  { quietHours, maxPerWeek, minDays }: SendRules,
  { last, week }: SendTimes,
  { subscriberId, zone }: DueRun,
  mails: RunMail[],
  now: number,
): number {
  const own = mails.map(({ at }) => at);
  const before = Math.max(last.get(subscriberId) ?? -Infinity, ...own);
  const recent = [...(week.get(subscriberId) ?? []), ...own];
  const oldest = maxPerWeek > 0 ? recent.at(-maxPerWeek) : undefined;
  const byWeek = oldest === undefined ? now : oldest + WEEK_MS;
  const byDays = minDays > 0 ? before + minDays * DAY_MS : now;
  const at = Math.max(now, byWeek, byDays);
  return quietHours ? endOfQuiet(quietHours, zone, at) : at;
}
