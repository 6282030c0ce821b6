import type { SENDING } from "../../../../src/messages/refusals/sending.ts";

/** German texts of errors about mails (src/messages/refusals). */
export const GERMAN_SENDING: Record<keyof typeof SENDING, string> = {
  smtp_not_configured: "Das Projekt hat keinen Mailserver. Richte ihn in den Einstellungen ein",
  no_fallback_server: "Das Projekt hat keinen Ersatzserver",
  no_from_address: "Das Projekt hat keine Absenderadresse. Gib sie in den Einstellungen ein",
  sender_not_allowed: "{address} ist kein Absender des Projekts. Erlaubt sind: {allowed}",
  account_not_mailable: "An die E-Mail-Adresse deines Kontos lässt sich nichts senden: {reason}",
  subscriber_not_mailable: "An die E-Mail-Adresse der Person lässt sich nichts senden: {reason}",
  empty_mail: "Die E-Mail ist leer: Sie hat weder HTML noch Text",
  template_syntax_error: "Die Vorlage hat einen Fehler: {reason}",
  template_render_error: "Die Vorlage lässt sich nicht füllen: {reason}",
  invalid_attachment: "Ein Anhang ist ungültig: {field} {reason}",
  attachment_not_fetched: "Der Anhang von {path} ließ sich nicht laden: {reason}",
  too_many_headers: "Mehr als {max} eigene Header sind nicht erlaubt",
  invalid_header_name: "Der Name eines Headers enthält unerlaubte Zeichen",
  header_reserved: "Den Header {name} setzt der Dienst selbst",
  header_repeated: "Der Header {name} steht zweimal da",
  header_too_long: "Der Header {name} hat mehr als {max} Zeichen",
  header_line_too_long:
    "Der Header {name} ist zu lang: Eine Zeile hat höchstens {max} Zeichen und endet nur an einem Leerzeichen",
  header_with_line_break: "Der Header {name} enthält einen Zeilenumbruch oder ein NUL-Zeichen",
  header_not_ascii: "Der Header {name} darf nur druckbares ASCII enthalten",
  malformed_header: "Der Header {name} hat nicht die richtige Form",
  mail_of_broadcast: "Die E-Mail gehört zu einer Aussendung, die nur als Ganzes wiederholt wird",
  mail_content_not_kept:
    "Die E-Mail kam aus keiner gespeicherten Vorlage, und ihr Inhalt ist nicht aufbewahrt",
  mail_accepted: "Der Mailserver hat die E-Mail angenommen: Sie käme zweimal an",
  mail_outcome_unknown:
    "Es ist unbekannt, ob die E-Mail gesendet wurde: Sie kommt vielleicht zweimal an",
  mail_still_tried: "Der Dienst versucht die E-Mail noch selbst: Sie käme zweimal an",
  mail_not_waiting:
    "Die E-Mail wartet nicht mehr: Sie wird gerade gesendet oder ist schon gesendet",
  batch_not_waiting: "Der Stapel wartet nicht: Er wird gerade gesendet oder ist schon gesendet",
  scheduled_mail_too_large:
    "Eine geplante E-Mail darf mit ihren Anhängen höchstens {max} MiB haben",
  address_not_usable: "Die Adresse ist nicht gültig: {reason}",
  template_gone: "Die Vorlage der E-Mail gibt es nicht mehr",
  subscriber_gone: "Die Person gibt es nicht mehr",
  address_suppressed: "Die Adresse steht auf der Sperrliste",
  suppressed: "Die Adresse steht auf der Sperrliste",
  opted_out: "Die Adresse hat das Thema nicht abonniert",
  subscriber_left: "Die Person hat sich abgemeldet",
  nothing_to_confirm: "Die Person hat nichts zu bestätigen",
  mailbox_limit_reached: "An diese Adresse ging heute schon die erlaubte Zahl von E-Mails",
  sender_busy: "Der Versand dieses Projekts ist ausgelastet. Nichts wurde gesendet",
  mail_server_limit_reached: "Ein Limit des Mailservers ist erreicht: Es wurde nichts gesendet",
  mail_server_limits_unavailable:
    "Die Limits des Mailservers sind gerade nicht bekannt. Versuche es noch einmal",
  no_service_sender: "Der Dienst hat noch keinen Absender für eigene E-Mails",
  other_service_sender: "Das Projekt ist nicht der Absender der E-Mails des Dienstes",
  smtp_failed: "{reason}",
};
