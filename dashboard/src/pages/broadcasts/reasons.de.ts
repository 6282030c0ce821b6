import type { BroadcastReasonCode } from "../../../../src/messages/broadcast-reasons.ts";
import { GERMAN_STEPS } from "../../parts/sending-server/steps.de.ts";
import { GERMAN_CONDITIONS } from "../../parts/segments/conditions.de.ts";
import { GERMAN_CONTENT } from "../../parts/templates/content.de.ts";
import { GERMAN_MESSAGES } from "../../text/messages.de.ts";

/** German texts of why a broadcast paused itself or deviated from its plan (src/messages). */
export const GERMAN_REASONS: Record<BroadcastReasonCode, string> = {
  addresses_invalid: "{number} von {total} Adressen gibt es nicht: Bereinige die Liste",
  recipients_complained: "Beschwerden: {number} von {total} Empfängern",
  mails_refused: "Von {total} E-Mails hat der Server {number} abgewiesen, {reason}",
  mails_refused_in_a_row:
    "Der Server hat {number} E-Mails nacheinander abgewiesen, {reason}: {reply}",
  server_error: "{reply}",
  no_session: "Es kam keine Verbindung mit dem Mailserver zustande",
  audience_condition_invalid: "Die Bedingung ihrer Empfänger gilt nicht mehr: {reason}",
  database_restored: "Die Datenbank wurde auf einen früheren Stand zurückgesetzt",
  not_started: "Nicht gestartet: {reason}",
  too_late: "Sie war {minutes} Minuten zu spät",
  started_late: "Sie ist {minutes} Minuten zu spät gestartet",
};

/** German texts of why servers reject a sender's mails (API reference §11.7). */
const GERMAN_BECAUSE = {
  because_sender_rejected: "weil der Server den Absender nicht annimmt",
  because_blocked: "weil der Absender auf einer Sperrliste steht oder einen schlechten Ruf hat",
  because_policy: "wegen einer Regel des empfangenden Systems",
  because_authentication: "weil der Absender SPF, DKIM oder DMARC nicht besteht",
  because_content: "wegen ihres Inhalts",
  because_too_large: "weil sie zu groß sind",
  because_relaying_denied: "weil der Mailserver sie für diese Anmeldung nicht weiterleitet",
};

/** All texts of the reasons. */
export const GERMAN_BROADCAST_REASONS = {
  ...GERMAN_MESSAGES,
  ...GERMAN_CONDITIONS,
  ...GERMAN_CONTENT,
  ...GERMAN_STEPS,
  ...GERMAN_BECAUSE,
  ...GERMAN_REASONS,
};
