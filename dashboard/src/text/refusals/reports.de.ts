import type { REPORTS } from "../../../../src/messages/refusals/reports.ts";

/** German texts of errors about bounces, webhooks and hooks (src/messages/refusals). */
export const GERMAN_REPORTS: Record<keyof typeof REPORTS, string> = {
  no_email_in_payload: "Die Meldung nennt keine E-Mail-Adresse",
  mailbox_not_configured: "Das Postfach für Rückläufer ist nicht eingerichtet",
  invalid_ingest_token: "Das Token fehlt oder ist falsch",
  signature_required: "Das Projekt nimmt nur signierte Meldungen an",
  invalid_report_signature: "Die Signatur von {provider} fehlt, ist falsch oder zu alt",
  report_signature_reused: "Die Signatur von {provider} gehört zu einem anderen Ereignis",
  sns_field_missing: "Der Nachricht von SNS fehlt ein Feld",
  sns_message_expired: "Die Nachricht von SNS ist älter als eine Stunde",
  sns_url_foreign: "{field} der Nachricht ist keine URL von SNS",
  sns_signature_wrong: "Die Signatur von SNS ist falsch",
  sns_topic_not_set: "Das Projekt hat noch kein SNS-Thema",
  sns_topic_differs: "Das SNS-Thema ist nicht das des Projekts",
  sns_not_confirmed: "SNS hat das Abonnement nicht bestätigt: {reason}",
  sns_certificate_unavailable: "Das Zertifikat von SNS ließ sich nicht laden: {reason}",
  mail_not_logged_yet: "Die E-Mail zu dieser Meldung steht noch nicht im Protokoll",
  mailbox_failed: "{reason}",
  invalid_hook_token: "Die URL des Hooks enthält kein gültiges Token",
  hook_without_secret: "Für den Hook ist kein Secret gespeichert",
  invalid_hook_signature: "Die Signatur fehlt, ist falsch oder älter als fünf Minuten",
  invalid_hook_body: "Der Aufruf hat nicht die Form des Dienstes: {path}",
  hook_action_without_template: "Für {action} ist keine Vorlage gewählt",
  webhook_paused: "Der Webhook ist angehalten. Schalte ihn zuerst ein",
  too_many_webhooks: "Ein Projekt hat höchstens {max} Webhooks. Lösche zuerst einen",
};
