import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, runBatchAfter, type Database } from "../../db/client.ts";
import { AppError, refusal } from "../../errors.ts";
import { jsonSize, splitBySize } from "../../lib/split-by-size.ts";
import type { ProjectRow } from "../access/index.ts";
import { saveAudienceSettings, type AudienceSettingsChange } from "../projects/index.ts";
import { beginImport, type Manifest, type Progress } from "./begin-import.ts";
import { erasedMore, withoutErased, type ErasedPeople } from "./erased-people.ts";
import { KINDS, type Kind, type MovedRow } from "./kinds.ts";
import { holdsForeign, isBeingRemoved, restoreRows } from "./restore-rows.ts";

/** A validated file of an export. */
export type MovedFile =
  | { is: "manifest"; manifest: Manifest }
  | { is: "settings"; audience: AudienceSettingsChange }
  | { is: "rows"; kind: Kind; rows: MovedRow[] }
  /** Rows of a kind that a later version added. */
  | { is: "unknown"; kind: string }
  | { is: "end"; rows: Record<string, number> };

export interface Imported {
  /** False if the call has reached its limits: calling again resumes the import. */
  isFinished: boolean;
  /** The rows read so far, by kind. */
  rows: Partial<Record<Kind, number>>;
  /** The kinds of rows that this version does not know and skips. */
  unknown: string[];
}

/** The limits of one write: D1 accepts 2 MB per value and 30 s per batch. */
const CHUNK = { items: 1_000, bytes: 500_000 };

/** The maximum size of a row: as an escaped string it stays below D1's limit per value. */
const MAX_ROW_BYTES = 1_900_000;

/** The writes per call; the platform allows 1,000 subrequests in total. */
const WRITES_PER_CALL = 900;

/**
 * Imports the files of an export into an empty project, with their ids (API reference §9.9). The
 * route checks `projects:write`. Each write is one batch, and the last one of a file records that
 * the file is imported, so a repeated import resumes where it stopped and adds nothing twice.
 * People who were erased here since it began stay erased. Throws 409 as `beginImport` does, or at
 * the first write with an id of another project, without writing; 400 if files are out of order or
 * their row counts differ from those of the export.
 */
export async function importProject(
  ctx: Ctx,
  project: ProjectRow,
  files: AsyncIterable<MovedFile>,
): Promise<Imported> {
  let begun: (Progress & { exportId: string }) | undefined;
  const rows: Imported["rows"] = {};
  const unknown = new Set<string>();
  let audience: AudienceSettingsChange = {};
  let place = 0;
  let writes = 0;
  for await (const file of files) {
    if (file.is === "manifest") {
      if (begun) throw refusal("not_an_export", {});
      const progress = await beginImport(ctx, project, file.manifest);
      begun = { ...progress, exportId: file.manifest.exportId };
      continue;
    }
    if (!begun) throw refusal("not_an_export", {});
    if (file.is === "settings") {
      audience = file.audience;
      continue;
    }
    if (file.is === "end") {
      requireWhole(file.rows, rows);
      if (!begun.isFinished) {
        await restoreSettings(ctx, project, audience);
        await finish(ctx, { projectId: project.id, exportId: begun.exportId });
      }
      return { isFinished: true, rows, unknown: [...unknown] };
    }
    if (file.is === "unknown") {
      unknown.add(file.kind);
      place += 1; // a version that knows the kind counts its files as well
      continue;
    }
    const { kind } = file;
    rows[kind] = (rows[kind] ?? 0) + file.rows.length;
    place += 1;
    const kept = withoutErased(ctx.deps, kind, file.rows, begun.erased);
    if (place <= begun.files) continue;
    const chunks = [...splitBySize(kept, CHUNK, jsonSize)];
    if (writes > 0 && writes + chunks.length > WRITES_PER_CALL)
      return { isFinished: false, rows, unknown: [...unknown] };
    writes += chunks.length;
    const { exportId, erased } = begun;
    const isIn = await writeFile(
      ctx,
      { projectId: project.id, exportId, place, erased },
      kind,
      chunks,
    );
    if (!isIn) return { isFinished: false, rows, unknown: [...unknown] };
  }
  throw refusal("export_incomplete", {});
}

interface Target {
  projectId: string;
  exportId: string;
  /** The number of the file, starting at 1. */
  place: number;
  /** The erased people, already missing from `chunks`. */
  erased: ErasedPeople;
}

const isRunning = ({ projectId, exportId }: Omit<Target, "place" | "erased">): SQL =>
  sql`exists (select 1 from project_imports
    where project_id = ${projectId} and export_id = ${exportId} and finished_at is null)`;

/** Writes the rows of a file. Stops and returns false if a person was erased in the meantime. */
async function writeFile(
  { deps }: Ctx,
  target: Target,
  kind: Kind,
  chunks: MovedRow[][],
): Promise<boolean> {
  const { db } = deps;
  const { projectId, place, erased } = target;
  const isStale = erasedMore(projectId, erased);
  for (const [at, chunk] of chunks.entries()) {
    if (chunk.some((row) => jsonSize(row).bytes > MAX_ROW_BYTES))
      throw refusal("export_row_too_large", { kind });
    const foreign = holdsForeign(projectId, kind, chunk);
    const removed = isBeingRemoved(kind, chunk);
    const when = sql`${isRunning(target)} and not ${foreign} and not ${removed} and not ${isStale}`;
    const isLast = at === chunks.length - 1;
    const [[found]] = await runBatchAfter(
      db,
      [
        ...restoreRows(deps, projectId, kind, chunk, when),
        ...(isLast ? [noteFile(db, projectId, place, when)] : []),
      ],
      [
        db.all<{ taken: number; removed: number; stale: number }>(
          sql`select ${foreign} as taken, ${removed} as removed, ${isStale} as stale`,
        ),
      ],
    );
    if (found?.taken) throw refusal("ids_of_other_project", { kind });
    if (found?.removed) throw refusal("topics_being_removed", {});
    if (found?.stale) return false;
  }
  return true;
}

const noteFile = (db: Database, projectId: string, place: number, when: SQL) =>
  db.run(
    sql`update project_imports set files = max(files, ${place})
      where project_id = ${projectId} and ${when}`,
  );

/**
 * Restores the audience settings: without double opt-in, people could join here without the
 * confirmation that the other project required. The templates are imported by now; a template that
 * cannot confirm is skipped.
 */
async function restoreSettings(
  ctx: Ctx,
  project: ProjectRow,
  audience: AudienceSettingsChange,
): Promise<void> {
  if (Object.keys(audience).length === 0) return;
  try {
    await saveAudienceSettings(ctx, project, audience);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) throw error;
    await saveAudienceSettings(ctx, project, { ...audience, confirmationTemplateId: null });
  }
}

async function finish({ deps }: Ctx, target: Omit<Target, "place" | "erased">): Promise<void> {
  const { db, now } = deps;
  await runBatch(db, [
    db.run(
      sql`update project_imports set finished_at = ${now()}
        where project_id = ${target.projectId} and ${isRunning(target)}`,
    ),
  ]);
}

/** Throws 400 unless all rows of the export were read. */
function requireWhole(said: Record<string, number>, read: Imported["rows"]): void {
  const wrong = KINDS.find((kind) => (said[kind] ?? 0) !== (read[kind] ?? 0));
  if (wrong !== undefined) throw refusal("export_lacks_rows", { kind: wrong });
}
