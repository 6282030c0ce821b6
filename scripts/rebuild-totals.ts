import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import {
  findLogStart,
  rebuildRollups,
  type RebuildDatabase,
  type RebuildScope,
} from "../src/services/analytics/index.ts";
import type { DatabasePlace } from "./accounts/d1-execute.ts";
import { OperatorError, runCommand, UsageError } from "./command-line.ts";
import { readStateDir } from "./local/settings.ts";
import { dayText, firstDayToRebuild, firstKeptDay, readRetentionDays } from "./totals/retention.ts";
import { wranglerDatabase } from "./totals/wrangler-database.ts";

const IMPORT_BLOCKS =
  "D1 answers nobody else while an import runs, so that the service fails meanwhile";

const USAGE = `Usage:
  npm run rebuild-totals -- [--project ID] [--from YYYY-MM-DD] [--remote --yes]
      counts the totals behind stats and analytics anew from the email log, of one project or of all,
      from a UTC day on; by default from the first day whose mails are all in the log: none was ever
      removed, and LOG_RETENTION_DAYS (from the environment, else wrangler.toml; set it to what is
      deployed) keeps them. Older totals stay as they are.
A rebuild that was stopped can be started again. It works on the local database (--state-dir DIR for
another one than STATE_DIR), and the service may go on working; with --remote on the deployed one.
There every day rebuilt is an import of its own, and ${IMPORT_BLOCKS}: hence --yes.`;

const PROJECT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

process.setMaxListeners(0); // every run of wrangler listens for the end of this process

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      project: { type: "string" },
      from: { type: "string" },
      remote: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      "state-dir": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return write(USAGE);
  const { project: projectId } = values;
  if (projectId !== undefined && !PROJECT_ID.test(projectId))
    throw new UsageError("--project: give the id of a project");
  if (values.remote && !values.yes)
    throw new OperatorError(
      `--remote: ${IMPORT_BLOCKS}, once for each day rebuilt; add --yes to do it`,
    );
  const place: DatabasePlace = values.remote
    ? { kind: "remote" }
    : { kind: "local", stateDir: values["state-dir"] ?? readStateDir(process.env) };
  const database = wranglerDatabase(place);
  const wholeFromMs = await findWholeDay(database, projectId);
  await rebuild(
    database,
    { projectId, keptFromMs: wholeFromMs },
    firstDayToRebuild(values.from, wholeFromMs),
  );
});

/** The first day whose mails are all in the log and stay there. Throws OperatorError without any. */
async function findWholeDay(database: RebuildDatabase, projectId: string | undefined) {
  const isOne = projectId === undefined ? sql`true` : sql`id = ${projectId}`;
  const projects = await database.query(sql`select id from projects where ${isOne} limit 1`);
  if (projects.length === 0)
    throw new OperatorError(projectId ? `there is no project ${projectId}` : "there is no project");
  const log = await findLogStart(database, { projectId });
  if (log.projects === 0) throw new OperatorError("the log is empty: there is nothing to count");
  return Math.max(log.wholeFrom, firstKeptDay(Date.now(), readRetentionDays(process.env)));
}

async function rebuild(database: RebuildDatabase, scope: RebuildScope, fromMs: number) {
  let days = 0;
  await rebuildRollups(database, scope, fromMs, (day) => {
    days += 1;
    write(`${dayText(day)} done`);
  });
  write(days === 0 ? "There was no day to rebuild." : `Rebuilt ${days} day(s) and the totals.`);
}

function write(line: string) {
  process.stdout.write(`${line}\n`);
}
