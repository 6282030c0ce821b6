import type { ConnectionFault } from "../net/connection-error.ts";
import { ConnectionError } from "../net/connection-error.ts";
import type { RecipientResult, SmtpConnectError, SmtpSettings } from "../smtp/index.ts";

export const IMPLICIT_TLS_PORT = 465;
export const STARTTLS_PORT = 587;

const NAME_REMEDY =
  "The server refuses the name of this client, which is the domain of from_email. Enter a from_email of a domain of your own. That domain needs an A or MX record.";

const AGAIN = "Test again in a few minutes. If it stays so, ask your mail provider.";

/** The remedy for a port that answers in plain text where TLS should begin at once. */
export const PLAIN_TEXT_REMEDY = `Enter smtp_port ${STARTTLS_PORT}: TLS from the first byte belongs to ${IMPLICIT_TLS_PORT} alone.`;

/** Says what to change when the other port of the host works. */
export const otherPortRemedy = (port: number) =>
  `Port ${port} works: enter smtp_port ${port} with the password, and test again.`;

/** Says what to change when a session does not open. */
export function openingRemedy(
  { step, reply, cause }: SmtpConnectError,
  { port, tls }: SmtpSettings,
): string {
  const fault = cause instanceof ConnectionError ? cause.fault : undefined;
  if (step === "connect") return connectRemedy(fault, port);
  if (reply && reply.code < 500) return `The server refuses for now. ${AGAIN}`;
  switch (step) {
    case "greeting":
      if (reply) return "The server refuses this client. Its words tell why.";
      return tls === "implicit"
        ? "Check that an SMTP server listens on this port. A TLS handshake that fails looks like this too."
        : `If the port expects TLS from the first byte, enter smtp_port ${IMPLICIT_TLS_PORT}. Otherwise check that an SMTP server listens on it.`;
    case "ehlo":
      return reply ? NAME_REMEDY : AGAIN;
    case "tls":
      return `Enter smtp_port ${IMPLICIT_TLS_PORT} if the server offers it. Otherwise the server must offer STARTTLS with a valid certificate.`;
    case "auth":
      return reply
        ? "Check smtp_user and smtp_password. Many providers want a password for apps or an SMTP key instead of that of the account."
        : "Enter another server or port: the login needs PLAIN or LOGIN and an answer within ten seconds.";
  }
}

function connectRemedy(fault: ConnectionFault | undefined, port: number): string {
  const how = fault === "timeout" ? "does not answer" : "refuses the connection";
  return (
    `The host ${how} on port ${port}. Check smtp_host and smtp_port: most providers offer ` +
    `${IMPLICIT_TLS_PORT} and ${STARTTLS_PORT}. A firewall in front must let anybody in, because ` +
    "Cloudflare does not publish the addresses that Workers connect from."
  );
}

/** Says what to change when the session opens but the server does not take the mail. */
export function mailRemedy({ outcome, phase, error }: RecipientResult): string {
  if (/\b(?:helo|ehlo)\b/i.test(error ?? "")) return NAME_REMEDY; // many servers refuse it this late
  if (outcome === "unknown")
    return "The server did not confirm the mail. Look whether it arrived before you test again.";
  if (outcome === "not_sent" || outcome === "deferred")
    return `The server does not take the mail now. ${AGAIN}`;
  switch (phase) {
    case "mail":
      return "The server does not let this account send from from_email. Enter an address that the account may use.";
    case "rcpt":
      return "The server refuses your own address as recipient. Check that the account may send to other domains, and that your address exists.";
    default:
      return "The server refuses the mail itself. Its words tell why. Often the domain of from_email is not set up with the provider.";
  }
}
