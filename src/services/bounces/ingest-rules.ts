import type { Ctx } from "../../context.ts";
import {
  INGEST_DEFAULTS,
  SIGNING_PROVIDERS,
  type IngestRules,
  type SigningProvider,
} from "../../db/schema/index.ts";
import type { Deps } from "../../deps.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { seal, unseal } from "../../lib/seal.ts";
import { isSendgridKey, type ProviderName } from "../../mail/bounce/index.ts";
import { isTopicArn } from "../../mail/sns/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { changeProject, mergedInto } from "../projects/index.ts";

/** A change of the rules. An undefined field keeps its value, and "" removes it. */
export type IngestRulesChange = {
  proof?: IngestRules["proof"];
  snsTopicArn?: string;
  sendgridKey?: string;
} & { [Name in SigningProvider as `${Name}SigningKey`]?: string };

const sealContext = (projectId: string, provider: SigningProvider) =>
  `project:${projectId}:${provider}_key`;

/** Returns the rules of a project for posted reports, with defaults for unset ones. */
export function ingestRulesOf(
  project: Pick<ProjectRow, "bounceSettings"> | undefined,
): IngestRules {
  return { ...INGEST_DEFAULTS, ...project?.bounceSettings?.ingest };
}

/** Returns the key with which a provider signs; "" if the project has none. */
export async function signingKeyOf(
  { config }: Deps,
  projectId: string,
  rules: IngestRules,
  provider: ProviderName,
): Promise<string> {
  if (provider === "sendgrid") return rules.sendgridKey;
  const name = SIGNING_PROVIDERS.find((one) => one === provider);
  const sealed = name ? rules[`${name}KeySealed`] : "";
  return name && sealed ? unseal(config.sealingKeys, sealed, sealContext(projectId, name)) : "";
}

/**
 * Changes the given rules and keeps the others. Returns the project. The route checks
 * `projects:write`. Throws 400 for an invalid topic or key, not_found for a deleted project, and
 * precondition_failed if the project's version is not one of the expected ones.
 */
export async function saveIngestRules(
  ctx: Ctx,
  { id }: ProjectRow,
  { proof, snsTopicArn, sendgridKey, ...keys }: IngestRulesChange,
  expected?: number[],
): Promise<ProjectRow> {
  if (snsTopicArn && !isTopicArn(snsTopicArn))
    throw invalidField("sns_topic_arn", faultOf("not_topic_arn"));
  if (sendgridKey && !isSendgridKey(sendgridKey))
    throw invalidField("sendgrid_public_key", faultOf("not_sendgrid_key"));
  const given = SIGNING_PROVIDERS.flatMap((name) => {
    const key = keys[`${name}SigningKey`];
    return key === undefined ? [] : [{ name, key }];
  });
  const sealed: Partial<IngestRules> = {};
  for (const { name, key } of given)
    sealed[`${name}KeySealed`] =
      key && (await seal(ctx.deps.config.sealingKeys, key, sealContext(id, name)));
  const ingest = { proof, snsTopicArn, sendgridKey, ...sealed };
  const known = given.map(({ name, key }) => [`has${capitalized(name)}Key`, key !== ""] as const);
  const { project } = await changeProject(ctx, id, {
    columns: { bounceSettings: mergedInto("bounce_settings", { ingest }) },
    action: "bounce_ingest.update",
    facts: { proof, snsTopicArn, sendgridKey, ...Object.fromEntries(known) },
    expected,
  });
  return project;
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
