import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { rebuildRollups } from "../src/services/analytics/rebuild-rollups.ts";
import type { DatabasePlace } from "./accounts/d1-execute.ts";
import { OperatorError, runCommand, UsageError } from "./command-line.ts";
import { readStateDir } from "./local/settings.ts";
import { dayText, firstDayToRebuild, firstKeptDay, readRetentionDays } from "./totals/retention.ts";
import { wranglerDatabase } from "./totals/wrangler-database.ts";

const USAGE = `Usage:
  npm run rebuild-totals -- [--project ID] [--from YYYY-MM-DD] [--remote]
      counts the totals behind stats and analytics anew from the email log, of one project or of all,
      from a UTC day on; by default from the first day that LOG_RETENTION_DAYS (from the environment,
      else wrangler.toml; set it to what is deployed) keeps in the log. Older totals stay as they are.
The service may go on working meanwhile, and a rebuild that was stopped can be started again.
It works on the local database (--state-dir DIR for another one than STATE_DIR), with --remote on the
deployed one.`;

const PROJECT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

process.setMaxListeners(0); // every run of wrangler listens for the end of this process

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      project: { type: "string" },
      from: { type: "string" },
      remote: { type: "boolean", default: false },
      "state-dir": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return write(USAGE);
  const { project: projectId } = values;
  if (projectId !== undefined && !PROJECT_ID.test(projectId))
    throw new UsageError("--project: give the id of a project");
  const place: DatabasePlace = values.remote
    ? { kind: "remote" }
    : { kind: "local", stateDir: values["state-dir"] ?? readStateDir(process.env) };
  const keptFromMs = firstKeptDay(Date.now(), readRetentionDays(process.env));
  const fromMs = firstDayToRebuild(values.from, keptFromMs);
  await rebuild(place, projectId, keptFromMs, fromMs);
});

async function rebuild(
  place: DatabasePlace,
  projectId: string | undefined,
  keptFromMs: number | undefined,
  fromMs: number,
) {
  const database = wranglerDatabase(place);
  const isOne = projectId === undefined ? sql`true` : sql`id = ${projectId}`;
  const projects = await database.query(sql`select id from projects where ${isOne} limit 1`);
  if (projects.length === 0)
    throw new OperatorError(projectId ? `there is no project ${projectId}` : "there is no project");
  let days = 0;
  await rebuildRollups(database, { projectId, keptFromMs }, fromMs, (day) => {
    days += 1;
    write(`${dayText(day)} done`);
  });
  write(days === 0 ? "There was no day to rebuild." : `Rebuilt ${days} day(s) and the totals.`);
}

function write(line: string) {
  process.stdout.write(`${line}\n`);
}
