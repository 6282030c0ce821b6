import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import { parseEmailAddress } from "../../mail/address.ts";
import { type Alternative, SmtpDiagnosis, type Step } from "../../mail/diagnosis/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectStorage } from "../storage/index.ts";
import { selectSuppressed } from "../suppressions/index.ts";
import type { SendAnswer } from "./sources/answers.ts";
import { NO_EXTRAS } from "./compose.ts";
import { unmailable, type SendFacts } from "./sources/single/send-facts.ts";
import { sendMail, type SendOptions } from "./sources/single/send-mail.ts";

const DNS_TIMEOUT_MS = 2_000;

const TEST_MAIL = {
  subject: "Postrider test mail",
  html: "<p>Your SMTP settings work: this email was sent with them.</p>",
  text: "Your SMTP settings work: this email was sent with them.\n",
};

/** The answer of a test. `steps` is empty when no attempt at the mail was made. */
export interface TestAnswer {
  to: string;
  answer: SendAnswer;
  steps: Step[];
  alternative: Alternative | undefined;
}

/**
 * Sends a test mail to the requesting user through one server of the project, step by step, and
 * logs it like any other mail. Authorised by the route (`projects:write`), which accepts only
 * users.
 */
export async function sendTestMail(
  ctx: Ctx,
  project: ProjectRow,
  server: "first" | "fallback",
): Promise<TestAnswer> {
  const { actor, deps } = ctx;
  if (actor.kind !== "user") throw refusal("session_required", {});
  const to = parseEmailAddress(actor.email);
  if (!to.ok) throw refusal("account_not_mailable", { reason: to.fault });
  const [suppressed, [storage]] = await runBatch(deps.db, [
    selectSuppressed(deps, project.id, [to.address]),
    selectStorage(deps.db),
  ]);
  const facts: SendFacts = {
    template: undefined,
    subscriber: undefined,
    ...unmailable(suppressed),
    operation: undefined,
    storage,
  };
  const mailbox = { name: actor.name, address: to.address };
  const input = { shape: "raw", to: mailbox, ...TEST_MAIL, extras: NO_EXTRAS } as const;
  const { config, fetch, sockets, now, waitUntil } = deps;
  const diagnosis = new SmtpDiagnosis({
    resolver: { fetch, url: config.dohUrl, timeoutMs: DNS_TIMEOUT_MS },
    allowPrivate: config.allowPrivateTargets,
    sockets,
    now,
    waitUntil,
  });
  const send: SendOptions["send"] = (settings, message) => diagnosis.send(settings, message);
  const answer = await sendMail(ctx, project, input, facts, { send, servers: server });
  const { steps, alternative } = diagnosis;
  return { to: to.address, answer, steps, alternative };
}
