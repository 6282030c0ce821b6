import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import {
  findLogStart,
  rebuildRollups,
  type RebuildDatabase,
  type RebuildScope,
} from "../src/services/email-log/rollups/index.ts";
import { withDatabase, type DatabasePlace } from "./accounts/with-database.ts";
import { OperatorError, runCommand, UsageError } from "./command-line.ts";
import { readStateDir } from "./local/settings.ts";
import { rebuildDatabase } from "./totals/rebuild-database.ts";
import {
  dayText,
  firstDayToRebuild,
  firstKeptDay,
  readDay,
  readRetentionDays,
} from "./totals/retention.ts";

const IMPORT_BLOCKS = "D1 answers no other query during an import, so requests to the service fail";

const USAGE = `Usage:
  npm run rebuild-totals -- [--project ID] [--from YYYY-MM-DD] [--remote --yes]
      recounts the totals behind stats and analytics from the email log, for one project or all,
      starting at a UTC day; by default the first day whose mails are all in the log: none was ever
      removed, and LOG_RETENTION_DAYS (from the environment, else wrangler.toml; set it to the
      deployed value) keeps them. Older totals do not change.
You can restart an interrupted rebuild. It uses the local database (--state-dir DIR overrides
STATE_DIR), and the service may keep running. With --remote it uses the deployed one, where each day
is one import: ${IMPORT_BLOCKS}. Hence --yes.`;

const PROJECT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

process.setMaxListeners(0); // every wrangler process adds an exit listener to this process

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      project: { type: "string" },
      from: { type: "string" },
      remote: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      "state-dir": { type: "string" },
    },
  });
  const { project: projectId } = values;
  if (projectId !== undefined && !PROJECT_ID.test(projectId))
    throw new UsageError("--project must be the ID of a project");
  const from = values.from === undefined ? undefined : readDay(values.from);
  if (values.remote && !values.yes)
    throw new OperatorError(
      `--remote: ${IMPORT_BLOCKS}, once for each day rebuilt; add --yes to confirm`,
    );
  const place: DatabasePlace = values.remote
    ? { kind: "remote" }
    : { kind: "local", stateDir: values["state-dir"] ?? readStateDir(process.env) };
  await withDatabase(place, async (opened) => {
    const database = rebuildDatabase(opened);
    const wholeFromMs = await findWholeDay(database, projectId);
    const scope = { projectId, keptFromMs: wholeFromMs };
    await rebuild(database, scope, firstDayToRebuild(from, wholeFromMs));
  });
});

/**
 * Returns the first day whose mails are all in the log and will not expire soon. Throws
 * OperatorError if there is none.
 */
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
  write(days === 0 ? "There were no days to rebuild." : `Rebuilt ${days} day(s) and the totals.`);
}

function write(line: string) {
  process.stdout.write(`${line}\n`);
}
