import { randomBytes } from "node:crypto";
import { runBatch } from "../../src/db/client.ts";
import type { Deps } from "../../src/deps.ts";
import { uuidAt } from "../../src/lib/ids.ts";
import {
  appendLog,
  broadcastLogId,
  shareSubject,
  type LogEntry,
} from "../../src/services/email-log/index.ts";
import { recordFirstVisits } from "../../src/services/email-log/visits/index.ts";
import type { PartResult, Sizes } from "../harness/report.ts";
import { openSqlite, type SqliteDatabase } from "../harness/sqlite-database.ts";

/** Mails that a broadcast records in one write, and opens in one batch. */
const MAILS_A_SETTLE = 30;
const OPENS_A_BATCH = 50;
const RECIPIENTS = 10_000;
const PROJECTS = 10;
const START = Date.UTC(2026, 5, 1);
const MS_A_SETTLE = 50;
const HOUR_MS = 3_600_000;
/** Fraction of the mails that are opened. */
const OPENED = 0.4;

const SUBJECT = "News of October: what is new this month";
const USER_AGENT =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";
const FIRST = "anna james maria robert li mohamed sofia peter fatima lukas emma noah olivia".split(
  " ",
);
const LAST = "smith johnson garcia mueller rossi nguyen kowalski andersson dubois tanaka".split(
  " ",
);
const HOSTS = ["gmail.com", "example.com", "company.co.uk", "mail.example.org"];

const GOAL_BYTES = 250;
const D1_BYTES = 10e9;
const DAYS_KEPT = 90;

/**
 * Measures the bytes of a mail in the log with all indexes, in SQLite pages, as the service writes
 * it. Broadcasts of ten projects run two at a time, so their rows interleave.
 */
export async function measureStorage({ storedMails: count }: Sizes): Promise<PartResult> {
  const broadcast = openSqlite();
  const empty = broadcast.bytes();
  const mails = await logBroadcasts(broadcast, count);
  const sent = (broadcast.bytes() - empty) / count;
  const byName = ["log_entries", "log_entries_by_status"].map(
    (name) => (broadcast.bytesByName().get(name) ?? 0) / count,
  );
  await openSome(broadcast, mails);
  const opened = (broadcast.bytes() - empty) / count;
  broadcast.sqlite.close();

  const api = openSqlite();
  await logSends(api, count);
  const single = (api.bytes() - empty) / count;
  api.sqlite.close();

  const row = (name: string, bytes: number) => [
    name,
    bytes,
    D1_BYTES / bytes / 1e6,
    D1_BYTES / bytes / DAYS_KEPT,
  ];
  return {
    title: `Bytes in the log, of ${count} mails`,
    columns: ["mail", "bytes", "million in 10 GB", `a day, ${DAYS_KEPT} days kept`],
    rows: [
      row("broadcast", sent),
      row(`broadcast, ${OPENED * 100} % opened`, opened),
      row("API", single),
    ],
    goals: [
      { what: "bytes of a broadcast mail", measured: sent, kind: "at_most", limit: GOAL_BYTES },
    ],
    notes: [
      `a broadcast mail: ${byName.map((bytes) => bytes.toFixed(1)).join(" row + ")} index by status`,
    ],
  };
}

/** The part of Deps that the log uses. */
const depsOf = ({ db }: SqliteDatabase, now: () => number): Deps =>
  ({ db, now, newId: () => uuidAt(now()), config: { workspaceStorageBytes: null } }) as Deps;

/** Creates a project for the log. */
function newProject({ sqlite }: SqliteDatabase): string {
  const id = uuidAt(START);
  sqlite
    .prepare(
      `insert into projects (id, workspace_id, created_by, name, description, created_at, updated_at)
        values (?, '', '', '', '', 0, 0)`,
    )
    .run(id);
  return id;
}

const addressOf = (n: number) =>
  `${FIRST[n % FIRST.length]}.${LAST[(n >> 4) % LAST.length]}${n % 89}@${HOSTS[(n >> 7) % HOSTS.length]}`;

/** One in fifty mails is not accepted. */
const statusOf = (n: number): LogEntry["status"] =>
  n % 200 === 0 ? "bounced" : n % 200 === 1 ? "failed" : n % 100 === 2 ? "suppressed" : "sent";

/** Accepted mails have a queue id as long as Postfix's. */
const queueIdOf = (n: number) => (statusOf(n) === "sent" ? `4X${n}`.padEnd(15, "z") : null);

function newBroadcast(projectIds: string[], createdAt: number) {
  const projectId = projectIds[Math.floor(Math.random() * projectIds.length)] ?? "";
  return {
    broadcast: { createdAt, logKey: randomBytes(32).toString("hex") },
    left: RECIPIENTS,
    common: {
      projectId,
      templateId: uuidAt(createdAt),
      broadcastId: uuidAt(createdAt),
      subject: SUBJECT,
      reason: null,
      tags: null,
      copies: null,
    },
  };
}

/** Logs broadcast mails and returns their ids. */
async function logBroadcasts(database: SqliteDatabase, count: number) {
  const projectIds = Array.from({ length: PROJECTS }, () => newProject(database));
  let now = START;
  const deps = depsOf(database, () => now);
  const start = async () => {
    const one = newBroadcast(projectIds, now);
    const { projectId, broadcastId } = one.common;
    await runBatch(database.db, [
      shareSubject(database.db, { id: broadcastId, projectId, subject: SUBJECT }),
    ]);
    return one;
  };
  const running = [await start(), await start()];
  const ids: string[] = [];
  for (let turn = 0; ids.length < count; turn++) {
    const at = turn % running.length;
    let one = running[at];
    if (!one || one.left <= 0) one = running[at] = await start();
    now += MS_A_SETTLE;
    const entries = Array.from({ length: MAILS_A_SETTLE }, (_, n): LogEntry => {
      const subscriberId = uuidAt(START - HOUR_MS);
      const status = statusOf(ids.length + n);
      return {
        ...one.common,
        id: broadcastLogId(one.broadcast, subscriberId),
        subscriberId,
        toEmail: addressOf(ids.length + n),
        status,
        error: status === "bounced" || status === "failed" ? "550 5.1.1 no such user" : null,
        queueId: queueIdOf(ids.length + n),
        sentAt: now,
      };
    });
    one.left -= entries.length;
    ids.push(...entries.map(({ id }) => id));
    await runBatch(database.db, appendLog(deps, one.common.projectId, entries));
  }
  return ids;
}

/** Records a first open for some mails, in an order different from that of their sending. */
async function openSome(database: SqliteDatabase, ids: string[]): Promise<void> {
  let now = START + ids.length * 10;
  const deps = depsOf(database, () => now);
  const opened = ids.filter(() => Math.random() < OPENED).toSorted();
  for (let from = 0; from < opened.length; from += OPENS_A_BATCH) {
    now += MS_A_SETTLE;
    const mails = opened.slice(from, from + OPENS_A_BATCH).map((logId) => ({
      logId,
      openAt: now,
      userAgent: USER_AGENT,
      class: "human",
      ip: "203.0.113.7",
      clickAt: null,
      eventId: null,
    }));
    const presence = { hasBroadcasts: true, hasSubscribers: true };
    await runBatch(database.db, recordFirstVisits(deps, mails, presence));
  }
}

/** Logs mails of the API: one per write, without a template. */
async function logSends(database: SqliteDatabase, count: number): Promise<void> {
  const projectIds = Array.from({ length: PROJECTS }, () => newProject(database));
  let now = START;
  const deps = depsOf(database, () => now);
  for (let n = 0; n < count; n++) {
    now += MS_A_SETTLE;
    const projectId = projectIds[n % PROJECTS] ?? "";
    const entry: LogEntry = {
      id: uuidAt(now),
      projectId,
      subscriberId: null,
      templateId: null,
      broadcastId: null,
      toEmail: addressOf(n),
      subject: `Your order ${100_000 + n} is on its way`,
      status: statusOf(n),
      queueId: queueIdOf(n),
      error: null,
      reason: null,
      tags: null,
      copies: null,
      sentAt: now,
    };
    await runBatch(database.db, appendLog(deps, projectId, [entry]));
  }
}
