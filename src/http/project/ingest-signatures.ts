import { z } from "zod";
import { INGEST_PROOFS, type IngestRules } from "../../db/schema/index.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import { ingestRulesOf, saveIngestRules } from "../../services/bounces/index.ts";
import { expectedVersions, setVersion } from "../entity-tag.ts";
import { commandField } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";

const PATH = "/projects/:id/bounce-webhook/signatures";
const MAX_KEY_CHARACTERS = 1_000;

const keyField = commandField(MAX_KEY_CHARACTERS).trim().optional();

const rulesBody = z
  .strictObject({
    proof: z
      .enum(INGEST_PROOFS)
      .optional()
      .describe("With `signature`, a report without a verified signature is 401."),
    sns_topic_arn: keyField,
    sendgrid_public_key: keyField,
    mailgun_signing_key: keyField,
  })
  .refine((body) => Object.keys(body).length > 0, { message: fault("nothing_given") });

const rulesAnswer = z.strictObject({
  proof: z.enum(INGEST_PROOFS),
  sns_topic_arn: z.string(),
  sendgrid_public_key: z.string(),
  has_mailgun_signing_key: z.boolean(),
});

/** Presents the rules for posted reports (API reference §14.3), without the secret key. */
const presentRules = (rules: IngestRules): z.input<typeof rulesAnswer> => ({
  proof: rules.proof,
  sns_topic_arn: rules.snsTopicArn,
  sendgrid_public_key: rules.sendgridKey,
  has_mailgun_signing_key: rules.mailgunKeySealed !== "",
});

/** Presents the rules; their ETag is the project's. */
function answerRules(c: HttpContext, project: ProjectRow) {
  setVersion(c, project.updatedAt);
  return presentRules(ingestRulesOf(project));
}

/** Routes of the signature requirements for posted reports (API reference §14.3). */
export const ingestSignatureRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: PATH,
    operation: "projects.bounceUrl.signatures.get",
    summary: "Returns the signature settings for bounce reports.",
    capability: "read",
    answer: rulesAnswer,
    handle: async ({ c, project }) => answerRules(c, project),
  }),
  route({
    auth: "cookie_or_key",
    method: "PUT",
    path: PATH,
    operation: "projects.bounceUrl.signatures.save",
    summary: "Changes the signature settings for bounce reports.",
    obeysIfMatch: true,
    example: { body: { mailgun_signing_key: "secret" } },
    capability: "projects:write",
    body: rulesBody,
    answer: rulesAnswer,
    handle: async ({ c, ctx, project, body }) => {
      const change = {
        proof: body.proof,
        snsTopicArn: body.sns_topic_arn,
        sendgridKey: body.sendgrid_public_key,
        mailgunKey: body.mailgun_signing_key,
      };
      return answerRules(c, await saveIngestRules(ctx, project, change, expectedVersions(c)));
    },
  }),
];
