import { z } from "zod";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { refusal } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { readLimited } from "../../lib/read-limited.ts";
import { seal, unseal } from "../../lib/seal.ts";

const SITEVERIFY = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16_384;

/**
 * The error codes of siteverify caused by the token; all others are caused by the secret or
 * Cloudflare.
 */
const TOKEN_FAULTS: ReadonlySet<string> = new Set([
  "missing-input-response",
  "invalid-input-response",
  "timeout-or-duplicate",
]);

const verdictSchema = z.object({
  success: z.boolean().catch(false),
  "error-codes": z.array(z.string()).catch([]),
});

const sealContext = (projectId: string) => `project:${projectId}:turnstile_secret`;

/** Encrypts a project's secret key for Cloudflare Turnstile. */
export const sealTurnstile = ({ config }: Deps, projectId: string, secret: string) =>
  seal(config.sealingKeys, secret, sealContext(projectId));

/**
 * Throws 403 unless Cloudflare Turnstile accepts the visitor's token, and unavailable without a
 * clear answer. Does nothing for a project without a secret key. A token is valid once.
 */
export async function requireHuman(
  { deps, clientIp }: Ctx,
  projectId: string,
  secretSealed: string,
  token = "",
): Promise<void> {
  if (secretSealed === "") return;
  if (token === "") throw refusal("turnstile_token_missing", {});
  let isAccepted: boolean;
  try {
    const { sealingKeys } = deps.config;
    const secret = await unseal(sealingKeys, secretSealed, sealContext(projectId));
    isAccepted = await verify(deps, { secret, response: token, remoteip: clientIp || undefined });
  } catch (error) {
    logLine("error", "turnstile_failed", { projectId, error: errorText(error) });
    throw refusal("turnstile_unavailable", {});
  }
  if (!isAccepted) throw refusal("turnstile_rejected", {});
}

/** Returns true if Turnstile accepts a token, and false if it rejects it. Throws otherwise. */
async function verify(
  { fetch }: Deps,
  question: { secret: string; response: string; remoteip: string | undefined },
): Promise<boolean> {
  const response = await fetch(SITEVERIFY, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(question),
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = await readLimited(response.body, MAX_BYTES);
  if (!body.ok) throw new Error("the answer of siteverify is too long");
  const verdict = verdictSchema.parse(JSON.parse(new TextDecoder().decode(body.bytes)));
  if (verdict.success && response.ok) return true;
  const codes = verdict["error-codes"];
  if (codes.length > 0 && codes.every((code) => TOKEN_FAULTS.has(code))) return false;
  throw new Error(`siteverify answered ${response.status}: ${codes.join(", ")}`);
}
