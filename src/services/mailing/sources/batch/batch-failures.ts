import type { BatchFailure } from "../../../../db/schema/index.ts";
import type { MailOutcome } from "../../outcome.ts";
import type { Counts } from "../answers.ts";
import { cutText } from "../../../../lib/cut-text.ts";

/**
 * The largest number of failures that the answer of a batch names. Its counts include all of them.
 */
export const MAX_FAILURES = 100;
/** The longest reason. The answer and every write of a running batch carry the reasons. */
const MAX_ERROR_CHARACTERS = 500;

/** The counts of a batch and its first failures; null while there are none. */
type Outcomes = Counts & { failures: BatchFailure[] | null };

/** Returns the counts and failures of a batch after more of its mails got an outcome. */
export function addOutcomes(
  { sent, failed, bounced, suppressed, failures }: Outcomes,
  more: { mail: unknown; outcome: MailOutcome }[],
): Counts & { failures: BatchFailure[] } {
  const counts: Counts = { sent, failed, bounced, suppressed };
  for (const { outcome } of more) counts[outcome.main.status] += 1;
  return {
    ...counts,
    failures: [...(failures ?? []), ...failuresOf(more, () => undefined)].slice(0, MAX_FAILURES),
  };
}

/**
 * Returns the failures of the mails that were not sent, in the order in which they were settled.
 */
export function failuresOf<Mail>(
  mails: { mail: Mail; outcome: MailOutcome }[],
  indexOf: (mail: Mail) => number | undefined,
): BatchFailure[] {
  return mails.flatMap(({ mail, outcome: { main } }) => {
    const { email: to, status, error } = main;
    if (status === "sent") return [];
    const failure = { to, status, error: cutText(error ?? "", MAX_ERROR_CHARACTERS) };
    const index = indexOf(mail);
    return [index === undefined ? failure : { index, ...failure }];
  });
}
