import type { Ctx } from "../../context.ts";
import { INGEST_DEFAULTS, type IngestRules } from "../../db/schema/index.ts";
import type { Deps } from "../../deps.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { seal, unseal } from "../../lib/seal.ts";
import { isSendgridKey, isTopicArn } from "../../mail/provider-signatures/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { changeProject, mergedInto } from "../projects/index.ts";

/** A change of the rules. An undefined field keeps its value, and "" removes it. */
export interface IngestRulesChange {
  proof?: IngestRules["proof"];
  snsTopicArn?: string;
  sendgridKey?: string;
  mailgunKey?: string;
}

const sealContext = (projectId: string) => `project:${projectId}:mailgun_key`;

/** Returns the rules of a project for posted reports, with defaults for unset ones. */
export function ingestRulesOf(
  project: Pick<ProjectRow, "bounceSettings"> | undefined,
): IngestRules {
  return { ...INGEST_DEFAULTS, ...project?.bounceSettings?.ingest };
}

/** Decrypts Mailgun's signing key; the project must have one. */
export async function openMailgunKey(
  { config }: Deps,
  projectId: string,
  { mailgunKeySealed }: IngestRules,
): Promise<string> {
  return unseal(config.sealingKeys, mailgunKeySealed, sealContext(projectId));
}

/**
 * Changes the given rules and keeps the others. Returns the project. The route checks
 * `projects:write`. Throws 400 for an invalid topic or key, not_found for a deleted project, and
 * precondition_failed if the project's version is not one of the expected ones.
 */
export async function saveIngestRules(
  ctx: Ctx,
  { id }: ProjectRow,
  { proof, snsTopicArn, sendgridKey, mailgunKey }: IngestRulesChange,
  expected?: number[],
): Promise<ProjectRow> {
  const { config } = ctx.deps;
  if (snsTopicArn && !isTopicArn(snsTopicArn))
    throw invalidField("sns_topic_arn", faultOf("not_topic_arn"));
  if (sendgridKey && !isSendgridKey(sendgridKey))
    throw invalidField("sendgrid_public_key", faultOf("not_sendgrid_key"));
  const mailgunKeySealed =
    mailgunKey && (await seal(config.sealingKeys, mailgunKey, sealContext(id)));
  const ingest = { proof, snsTopicArn, sendgridKey, mailgunKeySealed };
  const { project } = await changeProject(ctx, id, {
    columns: { bounceSettings: mergedInto("bounce_settings", { ingest }) },
    action: "bounce_ingest.update",
    facts: {
      proof,
      snsTopicArn,
      sendgridKey,
      hasMailgunKey: mailgunKey === undefined ? undefined : mailgunKey !== "",
    },
    expected,
  });
  return project;
}
