import type { Ctx } from "../../context.ts";
import type { IngestRules } from "../../db/schema/index.ts";
import { refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { PROVIDERS, type Post, type Provider, type ProviderName } from "../../mail/bounce/index.ts";
import { isObject } from "../../mail/bounce/json-values.ts";
import { isSnsEnvelope } from "../../mail/sns/index.ts";
import { isFirstUse } from "../idempotency/index.ts";
import { signingKeyOf } from "./ingest-rules.ts";
import { openSnsMessage, type Opened } from "./open-sns-message.ts";

/** A posted body, and the headers in which providers sign it. */
export type Posted = Pick<Post, "bytes" | "header">;

const ALL = Object.entries(PROVIDERS) as [ProviderName, Provider][];

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
  const text = contentOf(new TextDecoder().decode(posted.bytes));
  const json = parseJson(text);
  if (isSnsEnvelope(json)) return openSnsMessage(ctx, projectId, rules, json);
  const post = { ...posted, text, items: [json].flat().filter(isObject) };
  const isSigned = await isSignedPost(ctx, projectId, rules, post);
  if (!isSigned && rules.proof === "signature") throw refusal("signature_required", {});
  return { kind: "report", text, isNotice: false };
}

/**
 * Returns true for events that their provider signed, and false for those of a provider without a
 * key. Throws if the project has a key that did not sign them.
 */
async function isSignedPost(
  { deps }: Ctx,
  projectId: string,
  rules: IngestRules,
  post: Post,
): Promise<boolean> {
  let isSigned = false;
  for (const [name, { title, isEvent, signature }] of ALL) {
    const hasHeader = signature?.header !== undefined && post.header(signature.header) !== "";
    if (!signature || !(hasHeader || post.items.some(isEvent))) continue;
    const key = await signingKeyOf(deps, projectId, rules, name);
    if (key === "") continue;
    if (!signature.isValid(post, key, deps.now()))
      throw refusal("invalid_report_signature", { provider: title });
    const uses = (signature.uses?.(post) ?? []).map((use) => ({
      key: use.key,
      requestHash: sha256Hex(use.content),
    }));
    if (uses.length > 0 && !(await isFirstUse(deps, `${projectId}:${name}`, uses)))
      throw refusal("report_signature_reused", { provider: title });
    isSigned = true;
  }
  return isSigned;
}

/** A form: the name of its first field. */
const FORM = /^[\w.%+-]+=/;

/** Returns the content of a form as JSON: the JSON in its only field, or its fields. */
function contentOf(text: string): string {
  if (!FORM.test(text)) return text;
  const fields = [...new URLSearchParams(text)];
  const only = fields.length === 1 ? fields[0]?.[1] : undefined;
  if (only !== undefined && parseJson(only) !== undefined) return only;
  return JSON.stringify(Object.fromEntries(fields));
}

/** Parses JSON; returns undefined for any other text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
