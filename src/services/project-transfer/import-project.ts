import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, runBatchAfter, type Database } from "../../db/client.ts";
import { AppError, refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  saveAudienceSettings,
  saveMailSettings,
  type AudienceSettingsChange,
  type MailSettingsChange,
} from "../projects/index.ts";
import { beginImport, hasErased } from "./begin-import.ts";
import type { Kind, MovedRow } from "./moved-tables.ts";
import { isTaken, restoreRows } from "./restore-rows.ts";

/** A validated line of an export. */
export type ExportLine =
  | { is: "export"; exportId: string }
  | { is: "row"; kind: Kind; row: MovedRow; bytes: number }
  | { is: "settings"; audience: AudienceSettingsChange }
  | { is: "mail_settings"; mail: MailSettingsChange }
  | { is: "end"; lines: number };

/** Consecutive rows of a kind. */
interface Chunk {
  is: "rows";
  kind: Kind;
  rows: MovedRow[];
  bytes: number;
}

/** A part of an export, with the number of its last line. */
type Part = (Exclude<ExportLine, { is: "row" }> | Chunk) & { at: number };

export interface Imported {
  /** False if the call has reached its limits: calling again resumes the import. */
  isFinished: boolean;
  /** The rows read so far, by kind. */
  rows: Partial<Record<Kind, number>>;
}

/** The limits of one write: D1 accepts 2 MB per value and 30 s per batch. */
const CHUNK = { rows: 1_000, bytes: 500_000 };

/** The writes per call; the platform allows 1,000 subrequests in total. */
const WRITES_PER_CALL = 900;

/**
 * Imports an export into an empty project, with its ids (API reference §9.9). The route checks
 * `projects:write`. Each write is one batch that also records its last line, so a repeated import
 * resumes where it stopped and adds nothing twice. Throws 409 as `beginImport` does, for an id of
 * another project, while an automation is active, and once somebody was erased from the project;
 * 400 if the file is incomplete.
 */
export async function importProject(
  ctx: Ctx,
  project: ProjectRow,
  lines: AsyncIterable<ExportLine>,
  writesPerCall = WRITES_PER_CALL,
): Promise<Imported> {
  const rows: Imported["rows"] = {};
  let begun: { target: Target; lines: number } | undefined;
  let writes = 0;
  for await (const part of partsOf(lines)) {
    if (part.is === "export") {
      const target = { projectId: project.id, exportId: part.exportId };
      begun = { target, lines: await beginImport(ctx, project, part.exportId) };
      continue;
    }
    if (!begun) throw refusal("not_an_export", {});
    if (part.is === "end") {
      if (part.lines !== part.at) break;
      return { isFinished: true, rows };
    }
    if (part.is === "rows") rows[part.kind] = (rows[part.kind] ?? 0) + part.rows.length;
    if (part.at <= begun.lines) continue;
    if (writes === writesPerCall) return { isFinished: false, rows };
    writes += 1;
    if (part.is === "rows") await writeChunk(ctx, begun.target, part);
    else {
      if (part.is === "settings") await restoreSettings(ctx, project, part.audience);
      else if (Object.keys(part.mail).length > 0) await saveMailSettings(ctx, project, part.mail);
      const { db } = ctx.deps;
      await runBatch(db, [noteLines(db, begun.target, part.at, sql`true`)]);
    }
  }
  throw refusal("export_incomplete", {});
}

/** Groups consecutive rows of a kind, as many as one write takes. */
async function* partsOf(lines: AsyncIterable<ExportLine>): AsyncGenerator<Part> {
  let chunk: (Chunk & { at: number }) | undefined;
  let at = 0;
  for await (const line of lines) {
    at += 1;
    const room = chunk && CHUNK.bytes - chunk.bytes;
    const fits = line.is === "row" && line.kind === chunk?.kind && line.bytes <= (room ?? 0);
    if (chunk && (!fits || chunk.rows.length === CHUNK.rows)) {
      yield chunk;
      chunk = undefined;
    }
    if (line.is === "row") {
      chunk ??= { is: "rows", kind: line.kind, rows: [], bytes: 0, at };
      chunk.rows.push(line.row);
      chunk.bytes += line.bytes;
      chunk.at = at;
    } else yield { ...line, at };
  }
  if (chunk) yield chunk;
}

interface Target {
  projectId: string;
  exportId: string;
}

async function writeChunk(
  { deps }: Ctx,
  target: Target,
  { kind, rows, at }: Chunk & { at: number },
): Promise<void> {
  const { db } = deps;
  const { projectId, exportId } = target;
  const taken = isTaken(projectId, kind, rows);
  const erased = hasErased(projectId);
  const active = hasActive(projectId);
  const when = sql`not ${taken} and not ${erased} and not ${active} and exists (
    select 1 from project_imports
    where project_id = ${projectId} and export_id = ${exportId} and lines < ${at})`;
  const [[found]] = await runBatchAfter(
    db,
    [...restoreRows(deps, projectId, kind, rows, when), noteLines(db, target, at, when)],
    [
      db.all<{ taken: number; erased: number; active: number }>(
        sql`select ${taken} as taken, ${erased} as erased, ${active} as active`,
      ),
    ],
  );
  if (found?.taken) throw refusal("ids_of_other_project", { kind });
  if (found?.erased) throw refusal("project_not_empty", {});
  if (found?.active) throw refusal("automation_active", {});
}

/** Returns the condition that the project has an automation which imported people would enter. */
const hasActive = (projectId: string): SQL =>
  sql`exists (select 1 from automations where state = 'active' and project_id = ${projectId})`;

const noteLines = (db: Database, { projectId, exportId }: Target, at: number, when: SQL) =>
  db.run(
    sql`update project_imports set lines = max(lines, ${at})
      where project_id = ${projectId} and export_id = ${exportId} and ${when}`,
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
