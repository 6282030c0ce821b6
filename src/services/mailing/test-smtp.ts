import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import { parseEmailAddress } from "../../mail/address.ts";
import type { Alternative, Step } from "../../mail/diagnosis/index.ts";
import type { ProjectRow } from "../access/index.ts";
import type { SendCall } from "../../project-object.ts";
import { askSender } from "../sending/index.ts";
import { SMTP_TEST_TAG } from "../email-log/index.ts";
import { selectStorage } from "../storage/index.ts";
import { selectSuppressed } from "../suppressions/index.ts";
import type { SendAnswer } from "../../project-object.ts";
import { NO_EXTRAS } from "./compose.ts";
import { unmailable, type SendFacts } from "./sources/single/send-facts.ts";
import { answerIn } from "./sources/single/call-sender.ts";
import { sendMail } from "./sources/single/send-mail.ts";

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
 * logs it like any other mail, except that no total counts a failure. Authorized by the route
 * (`projects:write`), which accepts only users.
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
  const extras = { ...NO_EXTRAS, tags: { [SMTP_TEST_TAG]: server } };
  const input = { shape: "raw", to: mailbox, ...TEST_MAIL, extras } as const;
  let tested: Pick<TestAnswer, "steps" | "alternative"> = { steps: [], alternative: undefined };
  const deliver = async (call: SendCall) => {
    const { outcome, ...rest } = await askSender(deps, project.id, (object) =>
      object.sendTest(call),
    );
    tested = rest;
    return answerIn({ ...outcome, verdict: undefined });
  };
  const answer = await sendMail(ctx, project, input, facts, { deliver, servers: server });
  return { to: to.address, answer, ...tested };
}
