import { remedyOf, type Remedy } from "../../messages/remedies.ts";
import type { ImapError } from "../imap/index.ts";
import type { RecipientResult, SmtpConnectError, SmtpSettings } from "../smtp/index.ts";
import type { StepName } from "./step-log.ts";

/** Returns the remedy for an SMTP session that does not open. */
export function openingRemedy({ step, reply }: SmtpConnectError, { port }: SmtpSettings): Remedy {
  if (step === "connect") return remedyOf("check_smtp_host", { port: String(port) });
  if (reply && reply.code < 500) return remedyOf("test_again");
  switch (step) {
    case "greeting":
      return remedyOf(reply ? "client_refused" : "check_smtp_port");
    case "ehlo":
      return remedyOf(reply ? "use_own_domain" : "test_again");
    case "tls":
      return remedyOf("use_port_465");
    case "auth":
      return remedyOf(reply ? "check_smtp_login" : "use_other_server");
  }
}

/** Returns the remedy for an SMTP server that does not accept the mail. */
export function mailRemedy({ outcome, phase, error }: RecipientResult): Remedy {
  if (/\b(?:helo|ehlo)\b/i.test(error ?? "")) return remedyOf("use_own_domain"); // many servers reject the name only at this point
  if (outcome === "unknown") return remedyOf("look_for_mail");
  if (outcome === "not_sent" || outcome === "deferred") return remedyOf("test_again");
  if (phase === "mail") return remedyOf("use_allowed_sender");
  return remedyOf(phase === "rcpt" ? "check_recipients" : "set_up_domain");
}

/** Returns the remedy for a failed step of a mailbox test. */
export function imapRemedy(step: StepName, { fault }: ImapError, port: number): Remedy {
  if (step === "connect") return remedyOf("check_imap_host", { port: String(port) });
  if (step === "greeting" || step === "capability") return remedyOf("check_imap_server");
  if (fault === "login_method") return remedyOf("enable_password_login");
  if (fault === "login") return remedyOf("check_imap_login");
  return remedyOf(fault === "folder" ? "check_folder" : "test_again");
}
