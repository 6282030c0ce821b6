/* Mails in the log, and the stored state of their opens and clicks. */
import type { Deps } from "../../../src/deps.ts";
import { runBatch } from "../../../src/db/client.ts";
import { ulidFloor, uuidAt } from "../../../src/lib/ids.ts";
import type { TrackingEvent } from "../../../src/queues/messages.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { logEntry } from "../log-entry.ts";
import { unique } from "../service.ts";

/** A quarter of a minute before the hour and midnight, so that short delays cross both. */
export const SENT_AT = Date.UTC(2026, 4, 5, 23, 59, 45);
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const URL_A = "https://shop.test/a?x=1&y=%C3%A9";
export const URL_B = "https://shop.test/b";
export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
export const GMAIL =
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
export const BARRACUDA = "BarracudaCentral/1.0";

let serial = 0;
/** A visit by a person's browser, with an id of its time. */
export function trackingEvent(
  kind: "open" | "click",
  logId: string,
  at: number,
  url = URL_A,
): TrackingEvent {
  const id = ulidFloor(at).slice(0, 10) + String(++serial).padStart(16, "0");
  const visit = { id, logId, at, userAgent: FIREFOX, ipAddress: "192.0.2.7" };
  return kind === "open" ? { kind, ...visit } : { kind, ...visit, url };
}

/** Creates a project with mails in its log that were sent at `SENT_AT`. */
export async function newMails(deps: Deps, count: number) {
  const projectId = unique("project");
  const logIds = Array.from({ length: count }, () => uuidAt(SENT_AT));
  await logMails(deps, projectId, logIds);
  return { projectId, logIds, logId: logIds[0] ?? "" };
}

/** Puts mails into the log of a project. */
export async function logMails(deps: Deps, projectId: string, logIds: string[]) {
  const entries = logIds.map((id) => logEntry(projectId, { id, sentAt: SENT_AT }));
  await rows(
    deps,
    "insert or ignore into projects (id, workspace_id, created_by, name, description, created_at, updated_at) values (?, '', '', '', '', 1, 1)",
    projectId,
  );
  await runBatch(deps.db, appendLog(deps, projectId, entries));
}

async function rows<T = Record<string, unknown>>(deps: Deps, sql: string, ...values: unknown[]) {
  const statement = deps.db.$client.prepare(sql).bind(...values);
  return (await statement.all<T>()).results;
}

const FIRST_VISITS = "opened_at, clicked_at, opened_class, opened_user_agent, opened_ip";

/** First open and click of a mail. */
export async function logRow(deps: Deps, logId: string) {
  const [row] = await rows(deps, `select ${FIRST_VISITS} from logged_mails where id = ?`, logId);
  return row;
}

/** Click records of a mail in order of time. */
export function clickRows(deps: Deps, logId: string) {
  return rows(deps, "select * from email_clicks where log_id = ? order by id", logId);
}

/** Mails opened and clicked in a project. */
export async function totals(deps: Deps, projectId: string) {
  const [row] = await rows<{ opened: number; clicked: number }>(
    deps,
    "select coalesce(sum(opened), 0) as opened, coalesce(sum(clicked), 0) as clicked from rollups where project_id = ? and kind = 'log' and grain = 'day'",
    projectId,
  );
  return row;
}

/** Opens and clicks by hour and day. */
export function rollups(deps: Deps, projectId: string) {
  return rows(
    deps,
    "select grain, bucket_at, opened, clicked, opens from rollups where project_id = ? and kind = 'log' order by 1, 2",
    projectId,
  );
}

/** Clicks by day, by hour and by link. */
export function topLinks(deps: Deps, projectId: string) {
  return rows(
    deps,
    "select grain, bucket_at, label, clicks from rollups where project_id = ? and kind = 'link' order by 1, 2, 3",
    projectId,
  );
}

/** Everything that tracking writes for a project. */
export async function trackedState(deps: Deps, projectId: string) {
  const mails = await rows(
    deps,
    `select id, ${FIRST_VISITS} from logged_mails where project_id = ? order by id`,
    projectId,
  );
  const clicks = await rows(
    deps,
    `select log_id, id, url, class, clicked_at from email_clicks
      where log_id in (select id from logged_mails where project_id = ?) order by log_id, id`,
    projectId,
  );
  return {
    mails,
    clicks,
    totals: await totals(deps, projectId),
    rollups: await rollups(deps, projectId),
    links: await topLinks(deps, projectId),
  };
}
