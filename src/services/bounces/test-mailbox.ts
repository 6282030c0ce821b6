import type { Ctx } from "../../context.ts";
import { refusal } from "../../errors.ts";
import { diagnoseMailbox, type Step } from "../../mail/diagnosis/index.ts";
import { openMailbox } from "./mailbox-settings.ts";
import { MESSAGES_PER_POLL } from "./poll-mailbox.ts";
import type { MailboxRow } from "./queries.ts";

const DNS_TIMEOUT_MS = 2_000;

/**
 * Logs in with the stored settings, opens the folder and counts unread messages, at most 500.
 * Changes nothing in the mailbox. `rows` is the result of `selectMailbox`. The route checks
 * `projects:write`.
 * Throws mailbox_not_configured without settings, and mailbox_failed with the reason and the steps
 * if the test fails.
 */
export async function testMailbox(
  { deps }: Ctx,
  rows: MailboxRow[],
): Promise<{ unseen: number; steps: Step[] }> {
  const [mailbox] = rows;
  if (!mailbox) throw refusal("mailbox_not_configured", {});
  const settings = { ...(await openMailbox(deps, mailbox)), folder: mailbox.folder };
  const { config, fetch, sockets, now } = deps;
  const resolver = { fetch, url: config.dohUrl, timeoutMs: DNS_TIMEOUT_MS };
  const world = { resolver, allowPrivate: config.allowPrivateTargets, sockets, now };
  const diagnosis = await diagnoseMailbox(world, settings, MESSAGES_PER_POLL);
  const { steps } = diagnosis;
  if (!diagnosis.ok)
    throw refusal("mailbox_failed", { reason: diagnosis.error }, { fields: { steps } });
  return { unseen: diagnosis.unseen, steps };
}
