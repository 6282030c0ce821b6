import { setTimeout as delay } from "node:timers/promises";
import type { LogEntry } from "../../client/src/index.ts";
import { UsageError } from "./failure.ts";
import { plain, print } from "./output.ts";
import { projectOf, type Session } from "./session.ts";

const STATUSES = ["sent", "failed", "bounced", "suppressed", "scheduled"] as const;
const POLL_MS = 2_000;
const MOST = 200;

interface LogOptions {
  status?: string | undefined;
  to?: string | undefined;
  limit?: string | undefined;
  follow?: boolean | undefined;
  project?: string | undefined;
  json: boolean;
}

/** Prints the newest emails, oldest first, and with `follow` each further one. */
export async function showLogs(session: Session, options: LogOptions): Promise<void> {
  const status = STATUSES.find((one) => one === options.status);
  if (options.status !== undefined && !status)
    throw new UsageError(`--status is one of ${STATUSES.join(", ")}`);
  const limit = Number(options.limit ?? 20);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MOST))
    throw new UsageError(`--limit is a number from 1 to ${MOST}`);
  if (options.follow && status === "scheduled")
    throw new UsageError("--follow shows what is sent: leave out --status scheduled");
  const { to: email } = options;
  const projectId = await projectOf(session, options.project);
  const { list } = session.client.projects.logs;
  const search = {
    projectId,
    ...(status === undefined ? {} : { status }),
    ...(email === undefined ? {} : { to_email: email }),
  };
  const show = (entry: LogEntry) => print(options.json, entry, lineOf(entry));
  const { logs } = await list({ ...search, limit });
  logs.toReversed().forEach(show);
  if (!options.follow) return;
  let from = logs[0]?.sent_at;
  let shown = new Set(logs.map(({ id }) => id));
  for (;;) {
    await delay(POLL_MS);
    const fresh: LogEntry[] = [];
    // `from` is inclusive: emails of the same millisecond may be recorded later
    for await (const entry of list.all({
      ...search,
      ...(from === undefined ? {} : { from }),
      limit: MOST,
    }))
      fresh.push(entry);
    fresh
      .toReversed()
      .filter(({ id }) => !shown.has(id))
      .forEach(show);
    shown = new Set([...fresh.map(({ id }) => id), ...shown].slice(0, 10_000));
    from = fresh[0]?.sent_at ?? from;
  }
}

const lineOf = ({ sent_at, status, to_email, subject, error }: LogEntry) =>
  plain([sent_at, status.padEnd(10), to_email, subject, error ?? ""].join("  ").trimEnd());
