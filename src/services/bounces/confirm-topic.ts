import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { readSubscribeUrl, type SnsMessage } from "../../mail/sns/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";

const TIMEOUT_MS = 5_000;

/**
 * Confirms the subscription in a verified message by requesting its URL. The URL must belong to SNS
 * and to that subscription. Throws sns_not_confirmed if the request fails, so that SNS posts the
 * message again.
 */
export async function confirmTopic(
  ctx: Ctx,
  projectId: string,
  message: SnsMessage,
): Promise<void> {
  const url = readSubscribeUrl(message.subscribeUrl, message);
  if (url === undefined) throw refusal("sns_url_foreign", { field: "SubscribeURL" });
  const failure = await visit(ctx, url);
  if (failure !== undefined) throw refusal("sns_not_confirmed", { reason: failure });
  await note(ctx, projectId, message.topicArn, "bounce_ingest.subscribed");
}

/** Records that the subscription in a verified message has ended. The service never renews it. */
export async function noteUnsubscription(
  ctx: Ctx,
  projectId: string,
  { topicArn }: SnsMessage,
): Promise<void> {
  await note(ctx, projectId, topicArn, "bounce_ingest.unsubscribed");
}

async function note(
  ctx: Ctx,
  projectId: string,
  topicArn: string,
  action: "bounce_ingest.subscribed" | "bounce_ingest.unsubscribed",
): Promise<void> {
  const fact = { scopeId: projectId, action, metadata: { topicArn } };
  await runBatch(ctx.deps.db, [auditStatement(ctx, fact, projectExists(projectId))]);
  logLine("info", "sns_subscription", { projectId, action, topicArn });
}

/** Requests the URL. Returns the error; undefined if SNS answered 200. */
async function visit({ deps }: Ctx, url: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await deps.fetch(url, { redirect: "manual", signal });
    await response.body?.cancel();
    return response.status === 200 ? undefined : `it answered ${response.status}`;
  } catch (error) {
    return errorText(error);
  }
}
