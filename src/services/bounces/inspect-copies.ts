import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { fitsReturnPath } from "../../mail/return-path.ts";
import { selectMailsById } from "../email-log/index.ts";
import { bounceSettingsOf, selectBounceSettings } from "../projects/index.ts";
import { keepSignatures } from "../sending/index.ts";
import { ownIdsOf } from "./own-mail.ts";
import type { MailboxRow } from "./queries.ts";

/**
 * Finds the newest mail of the project among messages of its bounce mailbox, and inspects its
 * signature. The mail must have been sent to the mailbox's user or to the return path. Takes no D1
 * round trip unless a message names a mail of the log, and otherwise one read and one write.
 */
export async function inspectCopies(
  deps: Deps,
  { projectId, user }: Pick<MailboxRow, "projectId" | "user">,
  messages: { raw: Uint8Array; isWhole: boolean }[],
): Promise<void> {
  const copies = await Promise.all(
    messages.map(async (message) => ({ ...message, ...(await ownIdsOf(deps, message.raw)) })),
  );
  const ids = [...new Set(copies.flatMap((copy) => copy.ids))];
  if (ids.length === 0) return;
  const { db } = deps;
  const [owners, [stored]] = await runBatch(db, [
    selectMailsById(db, ids),
    selectBounceSettings(db, projectId),
  ]);
  const { returnPath } = bounceSettingsOf(stored);
  const isHere = (email: string) =>
    email === user.toLowerCase() || (returnPath !== null && fitsReturnPath(returnPath, email));
  const own = new Set(
    owners
      .filter((owner) => owner.projectId === projectId && isHere(owner.toEmail))
      .map(({ id }) => id),
  );
  const newest = copies.findLast((copy) => copy.ids.some((id) => own.has(id)));
  if (newest) await keepSignatures(deps, projectId, newest);
}
