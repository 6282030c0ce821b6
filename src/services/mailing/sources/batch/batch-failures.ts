import type { BatchFailure } from "../../../../db/schema/index.ts";
import type { MailOutcome } from "../../outcome.ts";
import { cutText } from "../../../../lib/cut-text.ts";

/** The longest reason. The answer and every write of a running batch carry the reasons. */
const MAX_ERROR_CHARACTERS = 500;

/**
 * Returns the failures of the mails that were not sent, in the order in which they were recorded.
 */
export function failuresOf<Mail>(
  mails: { mail: Mail; outcome: MailOutcome }[],
  indexOf: (mail: Mail) => number,
): BatchFailure[] {
  return mails.flatMap(({ mail, outcome: { main } }) => {
    const { email: to, status, error, reason } = main;
    if (status === "sent") return [];
    const code = status === "suppressed" ? status : (main.code ?? reason);
    const failure = { index: indexOf(mail), to, status };
    const told = { error: cutText(error ?? "", MAX_ERROR_CHARACTERS) };
    return [{ ...failure, ...told, ...(code === undefined ? {} : { code }) }];
  });
}
