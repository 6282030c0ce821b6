import { recentValues } from "../../lib/recent-values.ts";
import type { SmtpSettings } from "./settings.ts";

/** What the server of an account has shown to any session of this isolate. */
export interface ServerHabits {
  /**
   * True once the server has answered a command that was written behind a final dot (RFC 2920
   * section 3.1). False for good after it refused one or dropped one: that is tried once.
   */
  readsBehindDot: boolean | undefined;
  /** True while one session tries that. */
  isTryingDot: boolean;
  /** The mails after which the server wants a new session. */
  mailsMax: number;
}

/** The number of accounts that an isolate remembers. */
const ACCOUNTS_MAX = 1_000;

const known = recentValues<ServerHabits>(ACCOUNTS_MAX);

export function habitsOf({ host, port, user }: SmtpSettings): ServerHabits {
  return known.of(JSON.stringify([host, port, user]), () => ({
    readsBehindDot: undefined,
    isTryingDot: false,
    mailsMax: Number.POSITIVE_INFINITY,
  }));
}
