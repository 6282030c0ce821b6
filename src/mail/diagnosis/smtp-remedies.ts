import { remedyOf, type Remedy } from "../../messages/remedies.ts";
import { ConnectionError } from "../net/connection-error.ts";
import type { RecipientResult, SmtpConnectError, SmtpSettings } from "../smtp/index.ts";

export const IMPLICIT_TLS_PORT = 465;
export const STARTTLS_PORT = 587;

/** Returns the remedy for a session that does not open. */
export function openingRemedy(
  { step, reply, cause }: SmtpConnectError,
  { port, tls }: SmtpSettings,
): Remedy {
  const fault = cause instanceof ConnectionError ? cause.fault : undefined;
  if (step === "connect")
    return remedyOf(fault === "timeout" ? "smtp_host_silent" : "smtp_host_refuses", {
      port: String(port),
    });
  if (reply && reply.code < 500) return remedyOf("refused_for_now");
  switch (step) {
    case "greeting":
      if (reply) return remedyOf("client_refused");
      return remedyOf(tls === "implicit" ? "check_smtp_server" : "check_smtp_port");
    case "ehlo":
      return remedyOf(reply ? "use_own_domain" : "test_again");
    case "tls":
      return remedyOf("use_port_465");
    case "auth":
      return remedyOf(reply ? "check_smtp_login" : "use_other_server");
  }
}

/** Returns the remedy for a server that does not accept the mail. */
export function mailRemedy({ outcome, phase, error }: RecipientResult): Remedy {
  if (/\b(?:helo|ehlo)\b/i.test(error ?? "")) return remedyOf("use_own_domain"); // many servers reject the name only at this point
  if (outcome === "unknown") return remedyOf("look_for_mail");
  if (outcome === "not_sent" || outcome === "deferred") return remedyOf("mail_refused_for_now");
  switch (phase) {
    case "mail":
      return remedyOf("use_allowed_sender");
    case "rcpt":
      return remedyOf("check_recipients");
    default:
      return remedyOf("set_up_domain");
  }
}
