import type { Mailbox } from "../../../../mail/address.ts";
import type { SingleMail } from "./send-input.ts";

/**
 * Removes suppressed addresses from cc and bcc, in both envelope and header. `skipped` lists them.
 * A suppressed address gets no mail, and a suppressed copy does not stop the mail to the others.
 */
export function skipSuppressedCopies(
  mail: SingleMail,
  suppressed: Set<string>,
): { mail: SingleMail; skipped: string[] } {
  const { cc, bcc } = mail.extras;
  const isHit = ({ address }: Mailbox) => suppressed.has(address);
  const skipped = [...cc, ...bcc].filter(isHit).map(({ address }) => address);
  if (skipped.length === 0) return { mail, skipped };
  const extras = {
    ...mail.extras,
    cc: cc.filter((mailbox) => !isHit(mailbox)),
    bcc: bcc.filter((mailbox) => !isHit(mailbox)),
  };
  return { mail: { ...mail, extras }, skipped: [...new Set(skipped)] };
}
