import { remedyOf, type Remedy } from "../../messages/remedies.ts";
import type { ImapError } from "../imap/index.ts";
import type { StepName } from "./step-log.ts";

/** Returns the remedy for a failed step of a mailbox test. */
export function imapRemedy(step: StepName, { fault }: ImapError, port: number): Remedy {
  switch (step) {
    case "connect":
      return remedyOf(fault === "timeout" ? "imap_host_silent" : "imap_host_refuses", {
        port: String(port),
      });
    case "greeting":
    case "capability":
      return remedyOf("check_imap_server");
    case "login":
      if (fault === "login_method") return remedyOf("enable_password_login");
      return remedyOf(fault === "login" ? "check_imap_login" : "test_again");
    case "folder":
      return remedyOf(fault === "folder" ? "check_folder" : "test_again");
    default:
      return remedyOf("test_again");
  }
}
