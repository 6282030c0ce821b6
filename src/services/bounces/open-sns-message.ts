import type { Ctx } from "../../context.ts";
import type { IngestRules } from "../../db/schema/index.ts";
import { AppError, refusal } from "../../errors.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { logLine } from "../../lib/log-line.ts";
import type { JsonObject } from "../../mail/bounce/json-values.ts";
import {
  isSignedByCertificate,
  readCertificateUrl,
  readSnsMessage,
  type SnsMessage,
} from "../../mail/sns/index.ts";
import { confirmTopic, noteUnsubscription } from "./confirm-topic.ts";
import { loadSnsCertificate } from "./load-sns-certificate.ts";

/**
 * - `report`: a text that may report bounces; `isNotice` if it may also be something else.
 * - `confirmed`: the subscription of a topic, now in effect.
 * - `ignored`: the end of a subscription.
 */
export type Opened =
  | { kind: "report"; text: string; isNotice: boolean }
  | { kind: "confirmed" }
  | { kind: "ignored" };

/** SNS repeats a message for up to an hour. */
const MAX_AGE_MS = HOUR_MS;

/**
 * Verifies and opens a message of Amazon SNS (API reference §14.4). It must come from the project's
 * own topic, be at most an hour old, and have a valid signature. Confirms a pending subscription.
 * Throws errors whose codes begin with `sns_`.
 */
export async function openSnsMessage(
  ctx: Ctx,
  projectId: string,
  { snsTopicArn }: IngestRules,
  envelope: JsonObject,
): Promise<Opened> {
  try {
    const message = await verify(ctx, snsTopicArn, readSnsMessage(envelope));
    return await act(ctx, projectId, message);
  } catch (error) {
    if (error instanceof AppError)
      logLine("warn", "sns_refused", { projectId, reason: error.message });
    throw error;
  }
}

async function verify(
  { deps }: Ctx,
  topicArn: string,
  message: SnsMessage | undefined,
): Promise<SnsMessage> {
  if (!message) throw refusal("sns_field_missing", {});
  if (topicArn === "") throw refusal("sns_topic_not_set", {});
  if (message.topicArn !== topicArn) throw refusal("sns_topic_differs", {});
  const ageMs = Math.abs(deps.now() - message.sentAt);
  if (!(ageMs <= MAX_AGE_MS)) throw refusal("sns_message_expired", {});
  const url = readCertificateUrl(message.certificateUrl, topicArn);
  if (url === undefined) throw refusal("sns_url_foreign", { field: "SigningCertURL" });
  if (isSignedByCertificate(message, await loadSnsCertificate(deps, url))) return message;
  throw refusal("sns_signature_wrong", {});
}

async function act(ctx: Ctx, projectId: string, message: SnsMessage): Promise<Opened> {
  switch (message.type) {
    case "Notification":
      return { kind: "report", text: message.message, isNotice: true };
    case "SubscriptionConfirmation":
      await confirmTopic(ctx, projectId, message);
      return { kind: "confirmed" };
    case "UnsubscribeConfirmation":
      await noteUnsubscription(ctx, projectId, message);
      return { kind: "ignored" };
  }
}
