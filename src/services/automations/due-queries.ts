import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { Definition } from "../../lib/automation-definition.ts";
import type { SUBSCRIBER_STATUSES } from "../../lib/subscriber-statuses.ts";
import { runsDueAt, walkDueAt, activeOf } from "../broadcasts/index.ts";

/** The most runs that one pass moves, and the most due ones among which it looks for them. */
const PAGE_SIZE = 500;
const LOOKED_AT = 1_000;

/** An automation with due runs, or with a due look at its segment or dates. */
export interface DueAutomation {
  id: string;
  projectId: string;
  name: string;
  /** When each is due; null for never. */
  runsDueAt: number | null;
  walkDueAt: number | null;
}

/** Selects the automations of a project that have work now or later, the longest due first. */
export function selectDueAutomations(db: Database, projectId: string) {
  return db.all<DueAutomation>(
    sql`select * from (select a.id, a.project_id as "projectId", a.name, ${runsDueAt} as "runsDueAt", ${walkDueAt} as "walkDueAt"
        from ${activeOf(projectId)})
      where "runsDueAt" is not null or "walkDueAt" is not null
      order by min(coalesce("runsDueAt", "walkDueAt"), coalesce("walkDueAt", "runsDueAt")), id`,
  );
}

/** A run that is due, with what decides on its move. */
export interface DueRun {
  id: string;
  subscriberId: string;
  version: number;
  step: string;
  moves: number;
  dueAt: number;
  goalMet: number;
  /** Null for a subscriber who was deleted. */
  status: (typeof SUBSCRIBER_STATUSES)[number] | null;
  suppressed: number;
  /** The time zone in the subscriber's metadata; not checked. */
  zone: unknown;
  /** The topics of the automation's mails to which the subscriber consents: a JSON array of ids. */
  topics: string;
}

/**
 * Selects due runs of an automation that rest at one step of one version: where the run rests that
 * has been due longest.
 */
export function selectDueRuns(db: Database, { id, projectId }: DueAutomation, now: number) {
  return db.all<DueRun>(
    sql`with due as materialized (${dueRuns(id, now)} limit ${LOOKED_AT})
      select run.id, run.subscriber_id as "subscriberId", run.version, run.step, run.moves, run.due_at as "dueAt",
        run.goal_met as "goalMet", s.status, s.metadata ->> '$.timezone' as zone, s.id is not null and exists (
          select 1 from suppressions where project_id = ${projectId} and email = s.email) as suppressed,
        (select json_group_array(topic_id) from topic_consents where state = 'subscribed' and subscriber_id = s.id
          and topic_id in (select topic_id from broadcasts where automation_id = ${id})) as topics
      from (select version, step from due limit 1) place
        cross join due on due.version = place.version and due.step = place.step
        cross join automation_runs run on run.automation_id = ${id} and run.id = due.id
        left join subscribers s on s.id = run.subscriber_id and s.project_id = ${projectId}
      limit ${PAGE_SIZE}`,
  );
}

const dueRuns = (id: string, now: number): SQL =>
  sql`select id, version, step from automation_runs
    where automation_id = ${id} and due_at is not null and due_at <= ${now} order by due_at`;

export interface VersionRow {
  version: number;
  /** JSON. */
  definition: string;
}

/**
 * Selects the version of the due runs of `selectDueRuns` and, if it moves on, the one to which: the
 * first later version that does not move on.
 */
export function selectVersions(db: Database, { id }: DueAutomation, now: number) {
  return db.all<VersionRow>(
    sql`with own as materialized (select version from (${dueRuns(id, now)} limit 1))
      select v.version, v.definition from own cross join automation_versions v on v.automation_id = ${id}
        and v.version in (own.version, (select min(version) from automation_versions
          where automation_id = ${id} and version >= own.version and moves_on = 0))
      order by v.version`,
  );
}

export const definitionOf = ({ definition }: VersionRow): Definition =>
  JSON.parse(definition) as Definition; // the service wrote it

/** Selects which steps of an automation have mails, by version. */
export function selectStepMails(db: Database, id: string) {
  return db.all<{ version: number; step: string }>(
    sql`select automation_version as version, step_id as step from broadcasts where automation_id = ${id}`,
  );
}
