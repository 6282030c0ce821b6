import type { SmtpConnectError } from "./connect-error.ts";
import type { SmtpSettings } from "./settings.ts";

/** The bounds of the sessions that outlive a mail. */
export interface WarmRules {
  /**
   * Returns the most connections at this moment. It learns how many are open, and how many the
   * mails in hand want.
   */
  connectionsMax: (open: number, wanted: number) => number;
  /** Returns true while somebody else has sessions with the same server. */
  areOthersConnected: () => boolean;
  /** Learns the refusals of sessions, with the number of those that carry on or may still open. */
  onRefusal: (error: SmtpConnectError, settings: SmtpSettings, others: number) => void;
  /** The longest wait of a mail for a session. */
  waitMs: number;
  /** The rest after which a session must answer RSET before it carries another mail. */
  checkAfterMs: number;
  /** The rest after which a session ends. */
  idleMs: number;
  /** The mails after which a session ends. */
  mailsMax: number;
}
