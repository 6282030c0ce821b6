import { z } from "zod";
import { INGEST_PROOFS } from "../../db/schema/index.ts";
import { ingestRulesOf, saveIngestRules } from "../../services/bounces/index.ts";
import { commandField } from "../fields.ts";
import { changeOf, inCode } from "../in-code.ts";
import { settingsRoutes } from "./settings-routes.ts";

const MAX_KEY_CHARACTERS = 1_000;

const keyField = commandField(MAX_KEY_CHARACTERS).trim();

const rulesBody = changeOf(
  z.strictObject({
    proof: z
      .enum(INGEST_PROOFS)
      .describe("With `signature`, a report without a verified signature is 401."),
    sns_topic_arn: keyField,
    sendgrid_public_key: keyField,
    mailgun_signing_key: keyField,
    resend_signing_key: keyField,
    postal_signing_key: keyField,
    zeptomail_signing_key: keyField,
    lettermint_signing_key: keyField,
  }),
).transform(({ sendgridPublicKey: sendgridKey, ...rules }) => inCode({ ...rules, sendgridKey }));

const rulesAnswer = z.strictObject({
  proof: z.enum(INGEST_PROOFS),
  sns_topic_arn: z.string(),
  sendgrid_public_key: z.string(),
  has_mailgun_signing_key: z.boolean(),
  has_resend_signing_key: z.boolean(),
  has_postal_signing_key: z.boolean(),
  has_zeptomail_signing_key: z.boolean(),
  has_lettermint_signing_key: z.boolean(),
});

/** Routes of the signature requirements for posted reports (API reference §14.3). */
export const ingestSignatureRoutes = settingsRoutes({
  path: "/projects/:id/bounce-webhook/signatures",
  operation: "projects.bounceUrl.signatures",
  name: "signature settings for bounce reports",
  example: { body: { mailgun_signing_key: "secret" } },
  body: rulesBody,
  answer: rulesAnswer,
  present: (project) => {
    const rules = ingestRulesOf(project);
    return {
      proof: rules.proof,
      sns_topic_arn: rules.snsTopicArn,
      sendgrid_public_key: rules.sendgridKey,
      has_mailgun_signing_key: rules.mailgunKeySealed !== "",
      has_resend_signing_key: rules.resendKeySealed !== "",
      has_postal_signing_key: rules.postalKeySealed !== "",
      has_zeptomail_signing_key: rules.zeptomailKeySealed !== "",
      has_lettermint_signing_key: rules.lettermintKeySealed !== "",
    };
  },
  save: saveIngestRules,
});
