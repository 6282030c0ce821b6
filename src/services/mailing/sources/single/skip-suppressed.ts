import type { Mailbox } from "../../../../mail/address.ts";
import type { SendInput } from "./send-input.ts";

/**
 * Removes suppressed addresses from to, cc and bcc, in both envelope and header. `skipped` lists
 * them. A suppressed address gets no mail, and does not stop the mail to the others, as long as
 * somebody is left in `to`: the first of these becomes the recipient.
 */
export function skipSuppressed(
  input: SendInput,
  suppressed: Set<string>,
): { input: SendInput; skipped: string[] } {
  if (!("extras" in input)) return { input, skipped: [] };
  const isKept = ({ address }: Mailbox) => !suppressed.has(address);
  const { to: first, extras } = input;
  const { alsoTo, cc, bcc } = extras;
  const [to = first, ...others] = [first, ...alsoTo].filter(isKept);
  const skipped = [first, ...alsoTo, ...cc, ...bcc]
    .filter((one) => !isKept(one) && one.address !== to.address)
    .map(({ address }) => address);
  if (skipped.length === 0) return { input, skipped };
  const kept = { alsoTo: others, cc: cc.filter(isKept), bcc: bcc.filter(isKept) };
  return {
    input: { ...input, to, extras: { ...extras, ...kept } },
    skipped: [...new Set(skipped)],
  };
}
