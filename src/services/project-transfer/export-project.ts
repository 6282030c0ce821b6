import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import type { ZipEntry } from "../../lib/zip-format.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import { runBatch, type Database } from "../../db/client.ts";
import { readAbTests } from "../broadcasts/index.ts";
import { KINDS, LOG_KIND, AB_TEST_KIND, type Kind, type MovedRow } from "./kinds.ts";
import { readLog, readTable } from "./read-rows.ts";
import { settingsOf } from "./project-settings.ts";

/** The format of the file; an import accepts only this version. */
export const EXPORT_FORMAT = "postrider.project";
export const EXPORT_VERSION = 1;

export const MANIFEST_FILE = "manifest.json";
export const SETTINGS_FILE = "project.json";
export const END_FILE = "end.json";

/**
 * The size of rows in bytes after which another file of their kind begins, so that an import
 * buffers little.
 */
const FILE_BYTES = 1_048_576;

const encoder = new TextEncoder();
const jsonFile = (name: string, value: unknown): ZipEntry => ({
  name,
  bytes: encoder.encode(`${JSON.stringify(value)}\n`),
});

/** Returns the name of the nth file of a kind, starting at 1. */
export const fileName = (kind: Kind, n: number) => `${kind}-${String(n).padStart(5, "0")}.ndjson`;

/**
 * Records an export in the audit trail, and returns its files. The route checks `projects:write`.
 * Files are read lazily, one at a time in memory. The last file contains the row counts, so that a
 * truncated export is detected.
 */
export async function exportProject(
  ctx: Ctx,
  project: ProjectRow,
): Promise<AsyncGenerator<ZipEntry>> {
  const { db, newId } = ctx.deps;
  const exportId = newId();
  const fact = {
    scopeId: project.id,
    action: "project.export",
    targetType: "project",
    targetId: project.id,
    metadata: { export_id: exportId },
  } as const;
  await runBatch(db, [auditStatement(ctx, fact, projectExists(project.id))]);
  return filesOf(ctx, project, exportId);
}

async function* filesOf(
  { deps: { db, now } }: Ctx,
  project: ProjectRow,
  exportId: string,
): AsyncGenerator<ZipEntry> {
  const startedAt = now();
  yield jsonFile(MANIFEST_FILE, {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    export_id: exportId,
    project_id: project.id,
    exported_at: startedAt,
  });
  yield jsonFile(SETTINGS_FILE, settingsOf(project));
  const rows: Partial<Record<Kind, number>> = {};
  const files: typeof rows = {};
  for (const [kind, only] of [...KINDS.map((one) => [one] as const), lateSuppressions(startedAt)]) {
    rows[kind] ??= 0;
    for await (const lines of linesOf(readRows(db, project.id, kind, only))) {
      rows[kind] += lines.length;
      files[kind] = (files[kind] ?? 0) + 1;
      yield { name: fileName(kind, files[kind]), bytes: encoder.encode(lines.join("")) };
    }
  }
  yield jsonFile(END_FILE, { rows });
}

/**
 * The maximum delay between a suppression's timestamp and its write: writes are retried, and clocks
 * differ.
 */
const LATE_BY_MS = 10 * MINUTE_MS;

/**
 * Returns what is read again at the end: suppressions are exported first, and more may have been
 * added since. Importing one twice is idempotent.
 */
const lateSuppressions = (startedAt: number) =>
  ["suppressions", sql`created_at >= ${startedAt - LATE_BY_MS}`] as const;

/** Reads the rows of a kind, one page in memory at a time. */
function readRows(
  db: Database,
  projectId: string,
  kind: Kind,
  only?: SQL,
): AsyncGenerator<MovedRow> {
  if (kind === LOG_KIND) return readLog(db, projectId);
  return kind === AB_TEST_KIND ? readAbTests(db, projectId) : readTable(db, projectId, kind, only);
}

/** Yields the lines of one file after another. */
async function* linesOf(rows: AsyncIterable<MovedRow>): AsyncGenerator<string[]> {
  let lines: string[] = [];
  let size = 0;
  for await (const row of rows) {
    const line = `${JSON.stringify(row)}\n`;
    lines.push(line);
    size += line.length;
    if (size < FILE_BYTES) continue;
    yield lines;
    lines = [];
    size = 0;
  }
  if (lines.length > 0) yield lines;
}
