import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { BatchResults, Database } from "../../db/client.ts";
import type { automationRuns } from "../../db/schema/index.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { broadcastLogId, selectOutcomes } from "../email-log/index.ts";
import { selectSubscriber } from "../subscribers/index.ts";

export const RUN_STATES = ["inside", "ended"] as const;

/** The runs that one page of a list examines, however few it shows. */
const EXAMINED_MAX = 1_000;

/** A run with its person and its mails. `logId` is null until the mail is in the log. */
export interface ListedRun extends Pick<
  typeof automationRuns.$inferSelect,
  | "id"
  | "automationId"
  | "subscriberId"
  | "version"
  | "step"
  | "outcome"
  | "enteredAt"
  | "movedAt"
  | "dueAt"
  | "endedAt"
> {
  automationName: string;
  /** Null once the person is deleted. */
  email: string | null;
  state: (typeof RUN_STATES)[number];
  mails: { step: string; at: number; logId: string | null }[];
}

interface RunFilter {
  subscriberId?: string | undefined;
  state?: (typeof RUN_STATES)[number] | undefined;
  step?: string | undefined;
}

interface RunPage {
  /** The id after which the page begins. */
  after?: string | null | undefined;
  limit: number;
}

/** A page of runs, newest first, and the id after which the next one begins. */
interface Runs {
  runs: ListedRun[];
  next: string | null;
}

/**
 * Returns the statements that run along with the access check; `listRuns` takes their results. No
 * index covers the filters by state and step, so a page with one of them examines at most 1,000
 * runs, regardless of what it finds, and the next one continues from there.
 */
export function runReads(
  db: Database,
  projectId: string,
  automationId: string,
  { subscriberId, state, step, after, limit }: RunFilter & RunPage,
) {
  const isFiltered = state !== undefined || step !== undefined;
  const most = isFiltered ? EXAMINED_MAX : limit + 1;
  const examined = sql`select automation_id, id from automation_runs
    where automation_id = ${automationId} and project_id = ${projectId} and ${before(after)}
      ${subscriberId === undefined ? sql`` : sql`and subscriber_id = ${subscriberId}`}
    order by id desc limit ${most}`;
  const isInState = state === "ended" ? sql`r.ended_at is not null` : sql`r.ended_at is null`;
  const isWanted = sql`${state === undefined ? sql`true` : isInState}
    and ${step === undefined ? sql`true` : sql`r.step = ${step}`}`;
  return [
    db.all<{ id: string }>(
      sql`select id from automations where id = ${automationId} and project_id = ${projectId}`,
    ),
    selectRuns(db, examined, isWanted, limit),
    db.all<{ id: string }>(sql`select id from (${examined}) limit 1 offset ${most - 1}`),
  ] as const;
}

/** Returns a page of the runs of an automation, in one more round trip. Throws not_found. */
export async function listRuns(
  { deps: { db } }: Ctx,
  project: ProjectRow,
  [[found], rows, [end]]: BatchResults<ReturnType<typeof runReads>>,
  limit: number,
): Promise<Runs> {
  if (!found) throw notFound("automation");
  const runs = await withMails(db, project.id, rows.slice(0, limit));
  const next = rows.length > limit ? runs.at(-1) : end;
  return { runs, next: next?.id ?? null };
}

/** Returns the statements that run along with the access check, for `listRunsOfSubscriber`. */
export function subscriberRunReads(
  db: Database,
  projectId: string,
  subscriberId: string,
  { after, limit }: RunPage,
) {
  const theirs = sql`select automation_id, id from automation_runs
    where subscriber_id = ${subscriberId} and ${before(after)} order by id desc limit ${limit + 1}`;
  return [
    selectSubscriber(db, projectId, subscriberId),
    selectRuns(db, theirs, sql`r.project_id = ${projectId}`, limit),
  ] as const;
}

/** Returns a page of the runs of a person, in one more round trip. Throws not_found. */
export async function listRunsOfSubscriber(
  { deps: { db } }: Ctx,
  project: ProjectRow,
  [[subscriber], rows]: BatchResults<ReturnType<typeof subscriberRunReads>>,
  limit: number,
): Promise<Runs> {
  if (!subscriber) throw notFound("subscriber");
  const runs = await withMails(db, project.id, rows.slice(0, limit));
  return { runs, next: rows.length > limit ? (runs.at(-1)?.id ?? null) : null };
}

/** A run in the export of a person. */
export interface ExportedRun extends Pick<
  typeof automationRuns.$inferSelect,
  "id" | "automationId" | "step" | "data" | "mails" | "outcome" | "enteredAt" | "endedAt"
> {
  automationName: string;
}

/** Selects the newest runs of a subscriber for an export; `readRun` reads its rows. */
export const selectRunsToExport = (
  db: Database,
  projectId: string,
  subscriberId: string,
  limit: number,
) =>
  db.all<StoredRun>(
    sql`select r.id, r.automation_id as "automationId", a.name as "automationName", r.step, r.data, r.mails, r.outcome,
        r.entered_at as "enteredAt", r.ended_at as "endedAt"
      from (select automation_id, id from automation_runs where subscriber_id = ${subscriberId}
          order by id desc limit ${limit}) page
        cross join automation_runs r on r.automation_id = page.automation_id and r.id = page.id
        cross join automations a on a.id = r.automation_id
      where r.project_id = ${projectId} order by r.id desc`,
  );

type StoredRun = Omit<ExportedRun, "data" | "mails"> & { data: string | null; mails: string };

/** Reads a row of `selectRunsToExport`. */
export const readRun = ({ data, mails, ...run }: StoredRun): ExportedRun => ({
  ...run,
  data: data === null ? null : (JSON.parse(data) as ExportedRun["data"]), // stored with an event
  mails: JSON.parse(mails) as ExportedRun["mails"], // the moves write it
});

const before = (after: string | null | undefined): SQL =>
  after === undefined || after === null ? sql`true` : sql`id < ${after}`;

type RunRow = Omit<ListedRun, "mails" | "state"> & { mails: string };

/** A mail of a run, with the parts of its log id for each version that may have sent it. */
interface MailOfRun {
  step: string;
  at: number;
  page: string;
  keys: { logKey: string; createdAt: number }[];
}

/** Selects the runs among these that meet a condition, one more than the page shows. */
const selectRuns = (db: Database, examined: SQL, isWanted: SQL, limit: number) =>
  db.all<RunRow>(
    sql`select r.id, r.automation_id as "automationId", a.name as "automationName", r.subscriber_id as "subscriberId",
        s.email, r.version, r.step, r.outcome, r.entered_at as "enteredAt", r.moved_at as "movedAt", r.due_at as "dueAt",
        r.ended_at as "endedAt", (
          select json_group_array(json_object('step', mail.value ->> 'step', 'at', mail.value ->> 'at', 'page', mail.value ->> 'page',
            'keys', (select json_group_array(json_object('logKey', b.log_key, 'createdAt', b.created_at)) from broadcasts b
              where b.automation_id = r.automation_id and b.automation_version <= r.version and b.step_id = mail.value ->> 'step')))
          from json_each(r.mails) mail) as mails
      from (${examined}) page
        cross join automation_runs r on r.automation_id = page.automation_id and r.id = page.id
        cross join automations a on a.id = r.automation_id
        left join subscribers s on s.id = r.subscriber_id
      where ${isWanted} order by r.id desc limit ${limit + 1}`,
  );

/** Names the mails of runs that the log has, in one round trip. */
async function withMails(db: Database, projectId: string, rows: RunRow[]): Promise<ListedRun[]> {
  const named = rows.map(({ mails, ...run }) => ({
    ...run,
    state: run.endedAt === null ? ("inside" as const) : ("ended" as const),
    mails: (JSON.parse(mails) as MailOfRun[]).map(({ step, at, page, keys }) => ({
      step,
      at,
      logIds: keys.map((key) => broadcastLogId(key, run.subscriberId, page)),
    })),
  }));
  const ids = named.flatMap(({ mails }) => mails.flatMap(({ logIds }) => logIds));
  const found = await selectOutcomes(db, projectId, ids, { visit: undefined, link: undefined });
  const logged = new Set(found.map(({ id }) => id));
  return named.map((run) => ({
    ...run,
    mails: run.mails.map(({ logIds, ...mail }) => ({
      ...mail,
      logId: logIds.find((id) => logged.has(id)) ?? null,
    })),
  }));
}
