import { recentValues } from "../../lib/recent-values.ts";
import type { SmtpSettings } from "./settings.ts";

/** What this isolate has observed about the server of an account. */
export interface ServerHabits {
  /**
   * True once the server has answered a command pipelined behind a final dot (RFC 2920 section
   * 3.1). False permanently after it rejected or dropped one: this is tried only once.
   */
  readsBehindDot: boolean | undefined;
  /** True while a session is trying this. */
  isTryingDot: boolean;
  /** Number of mails after which the server requires a new session. */
  mailsMax: number;
}

/** Maximum number of accounts that an isolate remembers. */
const ACCOUNTS_MAX = 1_000;

const known = recentValues<ServerHabits>(ACCOUNTS_MAX);

export function habitsOf({ host, port, user }: SmtpSettings): ServerHabits {
  return known.of(JSON.stringify([host, port, user]), () => ({
    readsBehindDot: undefined,
    isTryingDot: false,
    mailsMax: Number.POSITIVE_INFINITY,
  }));
}
