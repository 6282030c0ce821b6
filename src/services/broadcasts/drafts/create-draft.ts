import { sql, type SQL } from "drizzle-orm";
import { runBatch } from "../../../db/client.ts";
import type { Ctx } from "../../../context.ts";
import { randomToken } from "../../../lib/random-token.ts";
import type { ProjectRow } from "../../access/index.ts";
import { auditStatement } from "../../audit/index.ts";
import { deletedMeanwhile, existForDraft } from "../../draft-references/index.ts";
import { topicsAreKnown } from "../../segments/index.ts";
import { getBroadcast } from "../control-broadcast.ts";
import { selectProjectBroadcast, type BroadcastRow } from "../queries.ts";
import type { BroadcastPlan } from "../../../db/schema/index.ts";
import { checkDraft, namedIn } from "./check-draft.ts";
import { draftAudit } from "./draft-audit.ts";
import { columnsOf, inputOf, nameOfCopy, type DraftInput } from "./draft-input.ts";
import { deleteDraftUnless, draftIs, insertDraft } from "./draft-queries.ts";

/**
 * Saves a draft, which may be incomplete. Throws 400 for a part that does not parse, and
 * not_found for a template that the project does not have.
 */
export async function createDraft(
  ctx: Ctx,
  project: ProjectRow,
  input: DraftInput,
): Promise<BroadcastRow> {
  const topics = namedIn(input);
  await checkDraft(ctx.deps, project, input, topics);
  const origin = { resend: null, fromId: "", status: "active" as const };
  const exist = sql`${existForDraft(project.id, input)} and ${topicsAreKnown(project.id, topics)}`;
  return insertCopy(ctx, project, input, origin, exist);
}

/**
 * Creates a draft with the fields of a broadcast in any state, except `send_at`. Throws not_found.
 */
export async function duplicateBroadcast(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  name: string | undefined,
): Promise<BroadcastRow> {
  const original = await getBroadcast(ctx, project, id);
  const input = inputOf(original);
  const named = name ?? nameOfCopy(input, " (copy)");
  const { plan, fromId, status } = original;
  const origin = { resend: plan?.resend ?? null, fromId, status };
  return insertCopy(ctx, project, { ...input, name: named, sendAt: null }, origin);
}

/** The fields that a draft keeps of the broadcast that it follows. */
export interface Origin {
  resend: BroadcastPlan["resend"];
  /** The id after which the audience starts. */
  fromId: string;
  /**
   * The status of its audience. Only a broadcast of the key-based API has a status other than
   * `active`.
   */
  status: BroadcastRow["status"];
}

/**
 * Inserts a draft with these fields if `when` is true. The copy of an old broadcast may reference
 * things that no longer exist; starting it then fails.
 */
export async function insertCopy(
  ctx: Ctx,
  project: ProjectRow,
  input: DraftInput,
  { resend, fromId, status }: Origin,
  when: SQL = sql`true`,
): Promise<BroadcastRow> {
  const { db, newId, now } = ctx.deps;
  const id = newId();
  const at = now();
  const isThere = draftIs(project.id, id, { states: ["draft"], versions: [at] });
  const [, , , [draft]] = await runBatch(db, [
    insertDraft(db, {
      ...columnsOf(input, resend),
      id,
      projectId: project.id,
      kind: "draft",
      state: "draft",
      status,
      logKey: randomToken(),
      cutoffId: "",
      plannedId: "",
      fromId,
      planDueAt: 0,
      createdAt: at,
      draftedAt: at,
      updatedAt: at,
    }),
    deleteDraftUnless(db, project.id, id, when),
    auditStatement(
      ctx,
      { ...draftAudit(project, "broadcast.create", id), metadata: { name: input.name } },
      isThere,
    ),
    selectProjectBroadcast(db, project.id, id),
  ]);
  if (!draft) throw deletedMeanwhile();
  return draft;
}
