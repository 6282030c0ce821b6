import type { ImapError } from "../imap/index.ts";
import type { StepName } from "./step-log.ts";

/** The port of IMAP with TLS from the first byte (RFC 8314 section 3.2). */
const IMAPS_PORT = 993;

/** The remedy for a port that answers in plain text where TLS should begin at once. */
export const PLAIN_TEXT_REMEDY = `Enter port ${IMAPS_PORT}: the mailbox must be reached by TLS from the first byte.`;

const AGAIN = "Test again in a few minutes. If it stays so, ask your mail provider.";

/** Says what to change when a step of a mailbox test fails. */
export function imapRemedy(step: StepName, { fault }: ImapError, port: number): string {
  switch (step) {
    case "connect":
      return (
        `The host ${fault === "timeout" ? "does not answer" : "refuses the connection"} on port ` +
        `${port}. Check host and port: most providers offer ${IMAPS_PORT}. A firewall in front must ` +
        "let anybody in, because Cloudflare does not publish the addresses that Workers connect from."
      );
    case "greeting":
    case "capability":
      return "Check that an IMAP server with TLS listens on this port. A TLS handshake that fails looks like this too.";
    case "login":
      if (fault === "login_method")
        return "Postrider logs in with PLAIN or LOGIN. If user and password are right, ask your mail provider to enable one of the two.";
      return fault === "login"
        ? "Check user and password. Many providers want a password for apps instead of that of the account, and some switch IMAP on by hand."
        : AGAIN;
    case "folder":
      return fault === "folder"
        ? "Enter the name of a folder that exists and that the account may change, for example INBOX."
        : AGAIN;
    default:
      return AGAIN;
  }
}
