import type { BatchResults } from "../../db/client.ts";
import type { Ctx } from "../../context.ts";
import { NO_FIELDS } from "../../db/subscriber-columns.ts";
import { invalidField, refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { NIL_UUID } from "../../lib/ids.ts";
import { faultOf } from "../../messages/faults.ts";
import type { ProjectRow } from "../access/index.ts";
import { inputOf, variantLetter, type BroadcastRow } from "../broadcasts/index.ts";
import { sendTests, testReads, type TestOutcome, type TestRecipients } from "../mailing/index.ts";
import { broadcastValues, readDraft } from "./facts.ts";

export interface DraftTest extends TestRecipients {
  /** The letter of the variant; the first one by default. */
  variant: string | undefined;
}

/**
 * Sends the mail of a draft, as its start would freeze it now, to a few addresses. Its unsubscribe
 * link has no effect. Throws not_found, 409 for a broadcast that is not a draft, 400 for a draft
 * that cannot be sent, and the errors of `sendTests`.
 */
export async function testDraft(
  ctx: Ctx,
  project: ProjectRow,
  row: BroadcastRow | undefined,
  { variant = variantLetter(0), ...recipients }: DraftTest,
  reads: BatchResults<ReturnType<typeof testReads>>,
): Promise<TestOutcome[]> {
  const { row: draft, contents, faults } = await readDraft(ctx, project, row);
  const [fault] = faults;
  if (contents.length === 0)
    throw refusal("draft_not_sendable", {
      reason: fault?.params?.["reason"] ?? "it has no content",
    });
  const content = contents.find((_, n) => variantLetter(n) === variant);
  if (!content) throw invalidField("variant", faultOf("unknown_variant"));
  const { subject, htmlBody, textBody, preheader } = content;
  const { previewText, replyTo, tracking, utm, name, ...own } = inputOf(draft);
  const shown = previewText ?? preheader;
  const sender = { fromName: content.fromName ?? own.fromName, replyTo };
  // A change of the template changes the content but not the draft's version.
  const version = `draft:${sha256Hex(JSON.stringify([subject, htmlBody, textBody, shown]))}`;
  const template = {
    ...content,
    previewText: shown,
    id: draft.templateId,
    version,
  };
  const email = recipients.to[0]?.address ?? "";
  const standIn = { ...NO_FIELDS, id: NIL_UUID, email };
  const data = { broadcast: broadcastValues(draft) };
  const options = { tracking, broadcastUtm: { own: utm, name } };
  const input = {
    ...recipients,
    template,
    subject: undefined,
    data,
    standIn,
    sender,
    own: options,
  };
  return sendTests(ctx, project, input, reads);
}
