/** The beginning of the error of a mail that the server may have accepted. */
export const OUTCOME_UNKNOWN = "outcome unknown";

/** Returns true for a mail that the server may have accepted. */
export const isUnknown = ({ status, error }: { status: string; error: string | null }) =>
  status === "failed" && error?.startsWith(OUTCOME_UNKNOWN) === true;

/** The error of a suppressed mail whose address lacks the consent to its topic. */
export const OPTED_OUT = "the address has not consented to the topic";
