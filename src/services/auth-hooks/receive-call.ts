import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { HookService } from "../../db/schema/index.ts";
import { AppError, reasonOf, refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { isSignedByStripe, isSignedWebhook, type SignedPost } from "../../mail/signed-webhook.ts";
import { type Message } from "../../messages/message.ts";
import type { SendAnswer } from "../../project-object.ts";
import type { ProjectRow } from "../access/index.ts";
import { recordEvents, type NewEvent } from "../events/index.ts";
import { factsOf, forgetAttempt, NO_EXTRAS, sendMail, sendReads } from "../mailing/index.ts";
import type { HookCall, HookEvent, HookMail } from "./hook-mail.ts";
import { noteCall, selectHookByToken, selectHookProject, type HookRow } from "./queries.ts";
import { readClerk } from "./read-clerk.ts";
import { readStripe } from "./read-stripe.ts";
import { readSupabase } from "./read-supabase.ts";
import { secretOf } from "./settings.ts";

/** A hook with its project. */
export interface OpenHook {
  hook: HookRow;
  project: ProjectRow;
}

/** Returns the hook with a token. Throws invalid_hook_token. */
export async function openHook(
  { deps: { db } }: Ctx,
  service: HookService,
  token: string,
): Promise<OpenHook> {
  const hash = sha256Hex(token);
  const [[hook], [project]] = await runBatch(db, [
    selectHookByToken(db, service, hash),
    selectHookProject(db, service, hash),
  ]);
  if (!hook || !project) throw refusal("invalid_hook_token", {});
  return { hook, project };
}

/**
 * Sends the emails of a call and stores its events, each at most once however often the call is
 * repeated, and records the outcome of the call. `create` is what happens to events of unknown
 * people. Links stay as they are: a program that follows a tracked link would use up
 * its token. Returns the outcomes of the emails. Throws hook_without_secret,
 * invalid_hook_signature, invalid_hook_body, hook_action_without_template, and what `sendMail`
 * throws.
 */
export async function receiveCall(
  ctx: Ctx,
  open: OpenHook,
  post: SignedPost,
  create: NewEvent["create"] = "none",
): Promise<SendAnswer[]> {
  try {
    const { mails, events } = await readCall(ctx, open, post);
    if (events.length > 0) return await storeEvents(ctx, open, events, create);
    const call = sha256Hex("", post.bytes);
    const answers = await Promise.all(mails.map((mail) => sendOne(ctx, open, mail, call)));
    const failed = answers.find(({ kind }) => kind !== "sent");
    await note(ctx, open.hook, failed ? failureOf(failed) : null);
    return answers;
  } catch (error) {
    const refused = error instanceof AppError ? error : refusal("internal_error", {});
    await note(ctx, open.hook, reasonOf(refused));
    throw error;
  }
}

/**
 * Stores the events of a call, each once however often the call is repeated. Before Supabase
 * creates a user, any error would refuse the user, so it only becomes the outcome of the call.
 */
async function storeEvents(
  ctx: Ctx,
  { hook, project }: OpenHook,
  events: HookEvent[],
  create: NewEvent["create"],
): Promise<[]> {
  const found = events.map(({ name, email, data, at }) => ({
    name,
    whom: { email },
    data,
    occurredAt: at,
    create,
  }));
  try {
    await recordEvents(ctx, project, found, (_index, field) => field, { once: true });
    await note(ctx, hook, null);
  } catch (error) {
    if (hook.service !== "supabase") throw error;
    logLine("error", "hook_event_not_stored", { projectId: project.id, error: errorText(error) });
    await note(
      ctx,
      hook,
      reasonOf(error instanceof AppError ? error : refusal("internal_error", {})),
    );
  }
  return [];
}

async function readCall(
  { deps }: Ctx,
  { hook, project }: OpenHook,
  post: SignedPost,
): Promise<HookCall> {
  const secret = await secretOf(deps, hook);
  if (secret === "") throw refusal("hook_without_secret", {});
  const { service, templates } = hook;
  const now = deps.now();
  const isSigned =
    service === "stripe"
      ? isSignedByStripe(post, secret, now)
      : isSignedWebhook(post, secret, now, service === "supabase" ? "webhook" : "svix");
  if (!isSigned) throw refusal("invalid_hook_signature", {});
  if (service === "stripe") return readStripe(post.bytes);
  if (service === "clerk") return readClerk(post.bytes);
  return readSupabase(post.bytes, project, templates);
}

/**
 * Sends one email. A call is identified by its body, because Supabase repeats it under another
 * `webhook-id`. An email that a server put off is sent if the service repeats the call.
 */
async function sendOne(
  ctx: Ctx,
  { hook, project }: OpenHook,
  { to, templateId, render, action }: HookMail,
  call: string,
): Promise<SendAnswer> {
  const { deps } = ctx;
  const key = `${hook.service} hook ${call} ${to.address}`; // no client can use a key with spaces
  const emails = [to.address];
  const needs = { templateId, subscriberId: undefined, emails, idempotencyKey: key };
  const facts = factsOf(await runBatch(deps.db, sendReads(deps, project.id, needs)));
  const tags = { hook: hook.service, action };
  const input = {
    shape: "raw",
    to,
    ...render(facts.template),
    extras: { ...NO_EXTRAS, tags },
    unchanged: { templateId: facts.template?.id ?? null },
  } as const;
  const idempotency = { key, requestHash: sha256Hex(key) };
  const answer = await sendMail(ctx, project, input, facts, { idempotency });
  const isPutOff = answer.kind === "refused" && answer.failure === "transient";
  if (isPutOff) await forgetAttempt(deps, project.id, key);
  return answer;
}

/** Returns why an email was not sent. */
const failureOf = (answer: SendAnswer): Message =>
  reasonOf(
    answer.kind === "refused"
      ? refusal("smtp_failed", { reason: answer.error })
      : refusal("suppressed", {}),
  );

/** Records the outcome of a call. Never throws: the emails are sent. */
async function note({ deps }: Ctx, hook: HookRow, error: Message | null): Promise<void> {
  try {
    await runBatch(deps.db, [noteCall(deps.db, hook, deps.now(), error)]);
  } catch (fault) {
    const { projectId, service } = hook;
    logLine("warn", "hook_call_not_noted", { projectId, service, error: errorText(fault) });
  }
}
