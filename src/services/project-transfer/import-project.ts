import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, runBatchAfter, type Database } from "../../db/client.ts";
import { AppError, refusal } from "../../errors.ts";
import { jsonSize, splitBySize } from "../../lib/split-by-size.ts";
import type { ProjectRow } from "../access/index.ts";
import type { AudienceSettings } from "../../db/schema/index.ts";
import { saveAudienceSettings } from "../projects/index.ts";
import { beginImport, type Manifest, type Progress } from "./begin-import.ts";
import { erasedMore, withoutErased, type ErasedPeople } from "./erased-people.ts";
import { KINDS, type Kind, type MovedRow } from "./kinds.ts";
import { holdsForeign, isBeingRemoved, restoreRows } from "./restore-rows.ts";

/** A file of an export, checked. */
export type MovedFile =
  | { is: "manifest"; manifest: Manifest }
  | { is: "settings"; audience: Partial<AudienceSettings> }
  | { is: "rows"; kind: Kind; rows: MovedRow[] }
  /** Rows of a kind that a later version added. */
  | { is: "unknown"; kind: string }
  | { is: "end"; rows: Record<string, number> };

/** The result of an import. */
export interface Imported {
  /** False if the call has done as much as one can: a repeated call goes on. */
  isFinished: boolean;
  /** The rows of the file by kind, as far as it was read. */
  rows: Partial<Record<Kind, number>>;
  /** The kinds of rows that this version does not know, and leaves out. */
  unknown: string[];
}

/** The bounds of one write: D1 takes 2 MB for one value, and 30 s for one batch. */
const CHUNK = { items: 1_000, bytes: 500_000 };

/** The largest row: with its quotes it stays below D1's limit for one value. */
const MAX_ROW_BYTES = 1_900_000;

/** The writes of one call; the platform allows 1,000 requests in all. */
const WRITES_PER_CALL = 900;

/**
 * Imports the files of an export into an empty project, with their ids (API reference §9.9). The
 * route checks `projects:write`. Each write is one batch, and the last one of a file notes that it
 * is in, so a repeated import goes on where it broke off and adds nothing twice. People who
 * were erased here since it began stay away. Throws 409 as `beginImport` does, or at the first
 * write that has an id of another project, which writes nothing; 400 for files in another
 * order, or whose numbers of rows are not those of the export.
 */
export async function importProject(
  ctx: Ctx,
  project: ProjectRow,
  files: AsyncIterable<MovedFile>,
): Promise<Imported> {
  let begun: (Progress & { exportId: string }) | undefined;
  const rows: Imported["rows"] = {};
  const unknown = new Set<string>();
  let audience: Partial<AudienceSettings> = {};
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
      place += 1; // a version that knows the kind counts its files, too
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
  /** The number of the file, from 1 on. */
  place: number;
  /** The people whom `chunks` lack. */
  erased: ErasedPeople;
}

const isRunning = ({ projectId, exportId }: Omit<Target, "place" | "erased">): SQL =>
  sql`exists (select 1 from project_imports
    where project_id = ${projectId} and export_id = ${exportId} and finished_at is null)`;

/** Writes the rows of a file. Returns false, and stops, if somebody was erased meanwhile. */
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
 * Sets how the project treats its audience: without double opt-in, people would join here whom the
 * other project asked first. The templates are in by now; one that cannot confirm is left out.
 */
async function restoreSettings(
  ctx: Ctx,
  project: ProjectRow,
  audience: Partial<AudienceSettings>,
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
