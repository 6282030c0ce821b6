import type { TimelineCode } from "../../../../src/messages/timeline.ts";

/** German texts of a mail's timeline (src/messages). */
export const GERMAN_TIMELINE: Record<TimelineCode, string> = {
  waiting: "Die E-Mail wartet auf ihren Zeitpunkt.",
  accepted: "Der Mailserver hat die E-Mail angenommen.",
  simulated: "Die E-Mail war ein Test: Kein Mailserver hat sie bekommen.",
  complained:
    "Der Mailserver hat die E-Mail angenommen, und der Empfänger hat sich inzwischen beschwert.",
  clicked: "Der Mailserver hat die E-Mail angenommen, und der Empfänger hat einen Link angeklickt.",
  link_visited:
    "Der Mailserver hat die E-Mail angenommen, und ein Link wurde besucht, vielleicht von einem Sicherheitsscanner.",
  opened: "Der Mailserver hat die E-Mail angenommen, und der Empfänger hat sie geöffnet.",
  images_loaded:
    "Der Mailserver hat die E-Mail angenommen, und ihre Bilder wurden geladen, vielleicht von einem Programm.",
  suppressed: "Die Adresse stand auf der Sperrliste, also wurde nichts gesendet.",
  opted_out: "Die Adresse hat das Thema der E-Mail nicht abonniert, also wurde nichts gesendet.",
  outcome_unknown:
    "Nach der Übergabe der E-Mail brach die Verbindung ab. Niemand weiß, ob sie ankam.",
  undeliverable: "Die Adresse nimmt keine E-Mails an.",
  not_sent: "Die E-Mail wurde nicht gesendet: Der Fehler nennt den Grund.",
  refused: "Die E-Mail wurde abgewiesen: {reason}.",
  returned: "Die E-Mail wurde angenommen und kam zurück: {reason}.",
  user_unknown: "Der Server des Empfängers sagt, dass es dieses Postfach nicht gibt",
  mailbox_disabled: "Das Postfach nimmt keine E-Mails mehr an",
  host_unknown: "Die Domain der Adresse gibt es nicht",
  no_mx: "Die Domain der Adresse nimmt keine E-Mails an",
  mailbox_full: "Das Postfach ist voll",
  sender_rejected: "Der Server akzeptiert deine Absenderadresse nicht",
  blocked:
    "Der sendende Server oder die Domain steht auf einer Sperrliste oder hat einen schlechten Ruf",
  policy: "Eine Richtlinie des empfangenden Systems verbietet sie",
  authentication: "Der Absender bestand SPF, DKIM, DMARC oder eine Prüfung seines Hostnamens nicht",
  content: "Ihr Inhalt wurde für Spam, einen Virus oder verboten gehalten",
  too_large: "Sie ist größer, als das empfangende System erlaubt",
  relaying_denied: "Der Mailserver leitet für diese Anmeldung oder an diese Adresse nicht weiter",
  system: "Das empfangende System hat einen eigenen Fehler",
  unknown: "Der Server nannte keinen Grund, der hier bekannt ist",
  rate_limited: "Der Server nimmt vorerst keine E-Mails mehr von dir an",
  greylisted: "Der Server lässt unbekannte Absender warten",
  network: "Ein Nameserver oder eine Verbindung fiel aus",
  expired: "Der Mailserver hat nach tagelangen Versuchen aufgegeben",
  nothing_to_do: "Es gibt nichts zu tun.",
  move_or_cancel:
    "Es gibt nichts zu tun. Bis zum Senden kannst du die E-Mail verschieben oder abbrechen.",
  nothing_more_to_learn:
    "Es gibt nichts zu tun: Mehr als die Annahme melden die meisten Server nicht.",
  stop_mailing: "Schreibe dieser Adresse nicht mehr, und prüfe, wie sie auf deine Liste kam.",
  send_again:
    "Die Adresse steht nicht mehr auf der Liste: Die E-Mail kann noch einmal gesendet werden.",
  ask_before_removing:
    "Frage nach einer anderen Adresse, und entferne den Eintrag nur, wenn diese funktioniert.",
  respect_unsubscribe:
    "Respektiere das: Die Person hat sich abgemeldet und muss sich selbst wieder anmelden.",
  remove_from_list:
    "Entferne den Eintrag von der Liste, wenn die Adresse wieder E-Mails bekommen darf.",
  ask_recipient:
    "Frage den Empfänger, bevor du sie noch einmal sendest: Sie könnte doppelt ankommen.",
  ask_for_address: "Frage nach einer anderen Adresse.",
  ask_for_address_suppressed: "Frage nach einer anderen Adresse: Diese steht auf der Sperrliste.",
  check_address: "Prüfe die Adresse auf Tippfehler, und frage nach einer anderen.",
  check_domain: "Prüfe die Adresse, und versuche es später wieder, wenn die Domain erreichbar ist.",
  correct_error: "Behebe, was der Fehler nennt, und sende die E-Mail noch einmal.",
  wait_for_room: "Versuche es in einigen Tagen wieder: Der Empfänger muss erst Platz schaffen.",
  check_sender:
    "Prüfe, ob es die Absenderadresse gibt und ob dieser Mailserver für ihre Domain senden darf.",
  leave_blocklist:
    "Folge dem Link im Fehler, oder bitte den Betreiber deines Mailservers, den Eintrag entfernen zu lassen.",
  read_rule:
    "Lies die Regel im Fehler, und frage den Betreiber des empfangenden Systems, wenn sie unklar ist.",
  set_up_authentication:
    "Richte SPF, DKIM und DMARC für die Domain deiner Absenderadresse ein, und gib ihr einen A- oder MX-Eintrag.",
  change_content:
    "Ändere den Inhalt, seine Links oder seine Anhänge, und prüfe es mit einer E-Mail.",
  make_smaller: "Mache die E-Mail kleiner: Verlinke große Dateien, statt sie anzuhängen.",
  check_login:
    "Prüfe die Anmeldung in den SMTP-Einstellungen, und was dein Anbieter sie senden lässt.",
  tell_operator:
    "Versuche es später wieder, und melde es dem Betreiber des empfangenden Systems, wenn es anhält.",
  read_error:
    "Lies die Antwort des Servers im Fehler, und versuche es wieder, wenn sie es zulässt.",
  send_slower: "Warte, und sende langsamer: Setze die Limits deines Mailservers.",
  send_soon: "Sende sie in einigen Minuten noch einmal: Der Server nimmt einen zweiten Versuch an.",
  try_later: "Versuche es später wieder: Der Fehler liegt im Netz.",
};
