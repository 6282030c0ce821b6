import type { Ctx } from "../../context.ts";
import { badRequest, unauthorized } from "../../errors.ts";
import { parseEmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectSuppressed } from "../suppressions/index.ts";
import type { SendAnswer } from "./sources/answers.ts";
import { NO_EXTRAS } from "./compose.ts";
import type { SendFacts } from "./sources/single/send-facts.ts";
import { sendMail } from "./sources/single/send-mail.ts";

/** The timeouts of API reference §9.3: 5 s to connect, 10 s for the session. */
const TEST_TIMEOUTS = {
  connectMs: 5_000,
  greetingToAuthMs: 10_000,
  messageMs: 10_000,
  afterDataMs: 10_000,
  sessionMs: 10_000,
  quitMs: 500,
};

const TEST_MAIL = {
  subject: "Postrider test mail",
  html: "<p>Your SMTP settings work: this mail was sent with them.</p>",
  text: "Your SMTP settings work: this mail was sent with them.\n",
};

/**
 * Sends a test mail to the requesting user through the project's SMTP settings and logs it like any
 * other mail. Authorised by the route (`projects:write`), which accepts only users.
 */
export async function sendTestMail(
  ctx: Ctx,
  project: ProjectRow,
): Promise<{ to: string; answer: SendAnswer }> {
  const { actor, deps } = ctx;
  if (actor.kind !== "user") throw unauthorized("a login session is required");
  const to = parseEmailAddress(actor.email);
  if (!to.ok) throw badRequest(`your account's email cannot be mailed: ${to.reason}`);
  const hits = await selectSuppressed(deps.db, project.id, [to.address]);
  const facts: SendFacts = {
    template: undefined,
    subscriber: undefined,
    suppressed: new Set(hits.map(({ email }) => email)),
    operation: undefined,
  };
  const mailbox = { name: actor.name, address: to.address };
  const input = { shape: "raw", to: mailbox, ...TEST_MAIL, extras: NO_EXTRAS } as const;
  const answer = await sendMail(ctx, project, input, facts, { timeouts: TEST_TIMEOUTS });
  return { to: to.address, answer };
}
