import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import {
  listRecipients,
  selectCandidates,
  type Outcome,
  type Reaction,
  type RecipientRow,
  type selectProjectBroadcast,
} from "../../services/broadcasts/index.ts";
import type { VisitFilter } from "../../services/email-log/index.ts";
import { noteListExport } from "../../services/audit/index.ts";
import type { HttpContext } from "../http-env.ts";
import { EXPORT_ENTRIES, streamCsvParts } from "../stream-csv.ts";

interface Export {
  broadcast: Awaited<ReturnType<typeof selectProjectBroadcast>>[number] | undefined;
  query: {
    after?: string | null | undefined;
    search?: string | undefined;
    outcome?: Outcome | undefined;
    visit?: VisitFilter["visit"];
    link?: VisitFilter["link"];
    reaction?: Reaction | undefined;
  };
  columns: readonly string[];
  present: (recipient: RecipientRow) => Record<string, unknown>;
}

/**
 * Streams the recipients of a broadcast as CSV, and records it in the audit trail. Throws
 * not_found.
 */
export async function exportRecipients(
  c: HttpContext,
  ctx: Ctx,
  project: ProjectRow,
  { broadcast, query, columns, present }: Export,
): Promise<Response> {
  const { after = null, search, outcome, visit, link, reaction } = query;
  const page = { outcome, visit, link, reaction, limit: EXPORT_ENTRIES, examined: EXPORT_ENTRIES };
  const readPart = async (place: string | null) => {
    const { db } = ctx.deps;
    const from = { search, after: place ?? "", reaction };
    const id = broadcast?.id ?? "";
    const candidates = await selectCandidates(db, project.id, id, from, EXPORT_ENTRIES);
    const { recipients, last } = await listRecipients(ctx, project, broadcast, candidates, page);
    return { rows: recipients, next: search === undefined ? last?.id : last?.email };
  };
  const name = "recipients";
  const answer = await streamCsvParts(c, { name, columns, after, readPart, present });
  await noteListExport(ctx, project.id, name);
  return answer;
}
