import type { Ctx } from "../../../context.ts";
import type { BroadcastPlan } from "../../../db/schema/index.ts";
import type { ProjectRow } from "../../access/index.ts";
import { getBroadcast } from "../control-broadcast.ts";
import type { BroadcastRow } from "../queries.ts";
import { selectVariant } from "../ab-test/variant-queries.ts";
import { insertCopy } from "./create-draft.ts";
import { inputOf, nameOfCopy } from "./draft-input.ts";
import { stateConflict } from "../state-conflict.ts";

/**
 * The subscribers to whom a broadcast is resent: those who joined since it began, or those who
 * received it and did not open it.
 */
type ResendTo = NonNullable<BroadcastPlan["resend"]>["to"];

/**
 * Creates a draft that resends a finished broadcast to one of these groups, with another subject if
 * one is given. Throws not_found, and 409 until the broadcast has ended.
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
  const content = input.ab === null ? {} : await winningContent(ctx, original);
  const copied = {
    ...input,
    ...content,
    name: name ?? nameOfCopy(input, " (again)"),
    subject: subject ?? original.subject,
    sendAt: null,
    timeZone: null,
    ab: null,
  };
  const fromId = to === "joined" ? original.cutoffId : "";
  const { status } = original;
  return insertCopy(ctx, project, copied, { resend: { of: id, to }, fromId, status });
}

/** Returns the content of the winner of an A/B test, or of its first variant if none was chosen. */
async function winningContent({ deps }: Ctx, { id, winner }: BroadcastRow) {
  const [variant] = await selectVariant(deps.db, id, winner ?? 0);
  if (!variant) throw new Error(`broadcast ${id} has lost a variant`);
  const { templateId, htmlBody, textBody } = variant;
  return templateId === null ? { templateId, htmlBody, textBody } : { templateId, ...NO_BODIES };
}

const NO_BODIES = { htmlBody: "", textBody: "" };
