import type { Ctx } from "../../context.ts";
import { AppError, badRequest } from "../../errors.ts";
import { TEST_IMAP_TIMEOUTS, ImapError, ImapSession } from "../../mail/imap/index.ts";
import { openMailbox } from "./mailbox-settings.ts";
import { MESSAGES_PER_POLL } from "./poll-mailbox.ts";
import type { MailboxRow } from "./queries.ts";

/**
 * Logs in with the stored settings, opens the folder and counts unread messages, at most 500.
 * Changes nothing in the mailbox. `rows` is the result of `selectMailbox`. Authorised by the route
 * (`projects:write`).
 * Throws bad_request when there are no settings, and mailbox_failed with the reason when the test
 * fails.
 */
export async function testMailbox({ deps }: Ctx, rows: MailboxRow[]): Promise<number> {
  const [mailbox] = rows;
  if (!mailbox) throw badRequest("the bounce mailbox is not configured");
  const settings = await openMailbox(deps, mailbox);
  try {
    const session = await ImapSession.open(settings, deps.sockets, TEST_IMAP_TIMEOUTS);
    try {
      await session.select(mailbox.folder);
      return (await session.searchUnseen(MESSAGES_PER_POLL)).length;
    } finally {
      await session.logout();
    }
  } catch (error) {
    if (error instanceof ImapError) throw new AppError("mailbox_failed", error.message);
    throw error;
  }
}
