import type { Ctx } from "../../context.ts";
import type { IngestRules } from "../../db/schema/index.ts";
import { refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { isSendgridEvent } from "../../mail/bounce/index.ts";
import { isObject, type JsonObject, objectOf, textOf } from "../../mail/bounce/json-values.ts";
import {
  isSignedByMailgun,
  isSignedBySendgrid,
  isSnsEnvelope,
  type SendgridSignature,
} from "../../mail/provider-signatures/index.ts";
import { isFirstUse } from "../idempotency/index.ts";
import { openMailgunKey } from "./ingest-rules.ts";
import { openSnsMessage, type Opened } from "./open-sns-message.ts";

/** A posted body, and the signature in its headers. */
export interface Posted {
  bytes: Uint8Array;
  sendgrid: SendgridSignature;
}

/**
 * Verifies the signature of a posted body if its project requires one (decision D30), and returns
 * its text. Throws if the signature is missing or wrong.
 */
export async function openPosted(
  ctx: Ctx,
  projectId: string,
  rules: IngestRules,
  posted: Posted,
): Promise<Opened> {
  const text = new TextDecoder().decode(posted.bytes);
  const json = parseJson(text);
  if (isSnsEnvelope(json)) return openSnsMessage(ctx, projectId, rules, json);
  const items = [json].flat().filter(isObject);
  const isSigned =
    (await isOfMailgun(ctx, projectId, rules, items)) || isOfSendgrid(ctx, rules, items, posted);
  if (!isSigned && rules.proof === "signature") throw refusal("signature_required", {});
  return { kind: "report", text, isNotice: false };
}

/**
 * Returns true for signed events of Mailgun, and false for unsigned ones if no key is configured.
 */
async function isOfMailgun(
  { deps }: Ctx,
  projectId: string,
  rules: IngestRules,
  items: JsonObject[],
): Promise<boolean> {
  const isEvent = (item: JsonObject) => isObject(item["event-data"]);
  if (rules.mailgunKeySealed === "" || !items.some(isEvent)) return false;
  const key = await openMailgunKey(deps, projectId, rules);
  const isSigned = (item: JsonObject) => isEvent(item) && isSignedByMailgun(item, key, deps.now());
  if (!items.every(isSigned)) throw refusal("invalid_report_signature", { provider: "Mailgun" });
  if (await isFirstUse(deps, `${projectId}:mailgun`, items.map(useOf))) return true;
  throw refusal("report_signature_reused", { provider: "Mailgun" });
}

/** Binds the token of an event to its content, because the signature covers only the token. */
const useOf = (item: JsonObject) => ({
  key: textOf(objectOf(item["signature"])["token"]),
  requestHash: sha256Hex(JSON.stringify(item["event-data"])),
});

/**
 * Returns true for signed events of SendGrid, and false for unsigned ones if no key is configured.
 */
function isOfSendgrid(
  { deps }: Ctx,
  { sendgridKey }: IngestRules,
  items: JsonObject[],
  { bytes, sendgrid }: Posted,
): boolean {
  if (sendgridKey === "") return false;
  if (sendgrid.signature === "" && !items.some(isSendgridEvent)) return false;
  if (isSignedBySendgrid(bytes, sendgrid, sendgridKey, deps.now())) return true;
  throw refusal("invalid_report_signature", { provider: "SendGrid" });
}

/** Parses JSON; returns undefined for any other text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
