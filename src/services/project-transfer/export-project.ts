import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import { KINDS } from "./moved-tables.ts";
import { readRows } from "./read-rows.ts";

/** The format of the file; an import accepts only this version. */
export const EXPORT_FORMAT = "postrider.project";
export const EXPORT_VERSION = 2;

/** Lines are joined into texts of this length, because each one costs a turn of the stream. */
const TEXT_LENGTH = 65_536;

/**
 * Records an export in the audit trail, and returns the text of its file, read lazily. The route
 * checks `projects:write`. Each line is an object with one field, which names its kind. The first
 * line describes the export; the last one has the number of lines, so that a truncated or edited
 * file is detected.
 */
export async function exportProject(
  ctx: Ctx,
  project: ProjectRow,
): Promise<AsyncGenerator<string>> {
  const { db, newId } = ctx.deps;
  const exportId = newId();
  const fact = {
    scopeId: project.id,
    action: "project.export",
    metadata: { export_id: exportId },
  } as const;
  await runBatch(db, [auditStatement(ctx, fact, projectExists(project.id))]);
  return textOf(linesOf(ctx, project, exportId));
}

async function* linesOf(
  { deps: { db, now } }: Ctx,
  project: ProjectRow,
  exportId: string,
): AsyncGenerator<object> {
  const version = { format: EXPORT_FORMAT, version: EXPORT_VERSION };
  yield { export: { ...version, id: exportId, project: project.name, exported_at: now() } };
  for (const kind of KINDS)
    for await (const row of readRows(db, project.id, kind)) yield { [kind]: row };
  const { turnstileSecretSealed: _secret, ...audience } = project.audienceSettings ?? {};
  yield { settings: audience };
  yield { mail_settings: project.mailSettings ?? {} };
}

async function* textOf(lines: AsyncIterable<object>): AsyncGenerator<string> {
  let text = "";
  let count = 1;
  for await (const line of lines) {
    text += `${JSON.stringify(line)}\n`;
    count += 1;
    if (text.length < TEXT_LENGTH) continue;
    yield text;
    text = "";
  }
  yield `${text}${JSON.stringify({ end: { lines: count } })}\n`;
}
