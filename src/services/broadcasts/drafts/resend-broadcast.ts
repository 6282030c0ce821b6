import type { Ctx } from "../../../context.ts";
import type { ResendTo } from "../../../db/schema/index.ts";
import type { ProjectRow } from "../../access/index.ts";
import { getBroadcast } from "../control-broadcast.ts";
import type { BroadcastRow } from "../queries.ts";
import { selectVariant } from "../ab-test/variant-queries.ts";
import { insertCopy } from "./create-draft.ts";
import { inputOf, nameOfCopy, type DraftInput } from "./draft-input.ts";
import { followedBy } from "../resends.ts";
import { stateConflict } from "../state-conflict.ts";

/**
 * Creates a draft that resends a finished broadcast to one group of subscribers, with another
 * subject if one is given. After an A/B test, it has the content of the winner or, without one, of
 * the first variant. Throws not_found, and 409 until the broadcast has ended.
 */
export async function resendBroadcast(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  { to, subject, name }: { to: ResendTo; subject: string | undefined; name: string | undefined },
): Promise<BroadcastRow> {
  const original = await getBroadcast(ctx, project, id);
  if (original.state !== "done" && original.state !== "cancelled")
    throw stateConflict(original.state);
  const input = inputOf(original);
  const content: Partial<DraftInput> = input.ab === null ? {} : await winningContent(ctx, original);
  const copied = {
    ...input,
    ...content,
    name: name ?? nameOfCopy(input, " (again)"),
    subject: subject ?? content.subject ?? original.subject,
    sendAt: null,
    timeZone: null,
    ab: null,
  };
  const of = followedBy(original, to);
  const fromId = to === "joined" ? original.cutoffId : "";
  const { status } = original;
  return insertCopy(ctx, project, copied, { resend: { of, to }, fromId, status });
}

/** Returns the content of the winner of an A/B test, or of its first variant if none was chosen. */
async function winningContent({ deps }: Ctx, { id, winner }: BroadcastRow) {
  const [variant] = await selectVariant(deps.db, id, winner ?? 0);
  if (!variant) throw new Error(`broadcast ${id} has lost a variant`);
  const { templateId, subject, fromName, htmlBody, textBody } = variant;
  const bodies = templateId === null ? { htmlBody, textBody } : NO_BODIES;
  return { templateId, subject, fromName, ...bodies };
}

const NO_BODIES = { htmlBody: "", textBody: "" };
