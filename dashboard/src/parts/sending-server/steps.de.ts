import type { ConnectionCode } from "../../../../src/messages/connections.ts";
import type { RemedyCode } from "../../../../src/messages/remedies.ts";

/** German texts of the steps of a mail server test (src/messages). */
export const GERMAN_STEPS: Record<ConnectionCode | RemedyCode, string> = {
  not_connected: "Die Verbindung mit {server} gelang nicht: {reason}",
  tls_not_started: "TLS mit {server} gelang nicht: {reason}",
  not_logged_in: "Die Anmeldung bei {server} gelang nicht: {reason}",
  imap_not_logged_in: "Die Anmeldung gelang nicht: {reason}",
  folder_not_opened: "Der Ordner „{folder}“ ließ sich nicht öffnen: {reason}",
  folder_missing: "Den Ordner „{folder}“ gibt es nicht",
  folder_name_invalid: "Der Name des Ordners ist leer oder zu lang",
  unread_not_searched: "Ungelesene Nachrichten ließen sich nicht suchen: {reason}",
  messages_not_fetched: "Nachrichten ließen sich nicht lesen: {reason}",
  messages_not_marked: "Nachrichten ließen sich nicht als gelesen markieren: {reason}",
  no_free_session:
    "Mit {server} wurde innerhalb von {seconds} Sekunden keine Verbindung frei, und mehr als {max} darf dieses Projekt nicht öffnen",
  both_servers_failed: "Ersatzserver: {fallback}. Erster Server: {first}",
  refused: "Die Verbindung wurde abgelehnt",
  refused_or_certificate:
    "Die Verbindung wurde abgelehnt, oder das TLS-Zertifikat gilt nicht für diesen Namen",
  tls_failed: "Der TLS-Handshake scheiterte, oder das Zertifikat gilt nicht für diesen Namen",
  closed: "Der Server hat die Verbindung geschlossen",
  closed_in_tls: "Der Server hat die Verbindung geschlossen, als TLS begann",
  connection_ended: "Die Verbindung wurde geschlossen",
  session_ended: "Die Sitzung ist beendet",
  session_given_up: "Die Sitzung wurde aufgegeben",
  session_too_long: "Die Sitzung dauerte zu lange",
  no_answer: "Der Server hat nicht rechtzeitig geantwortet",
  line_too_long: "Eine Zeile des Servers hat mehr als {max} Bytes",
  text_before_tls: "Der Server hat vor TLS etwas im Klartext gesendet",
  not_smtp: "Der Server hat etwas gesendet, das keine SMTP-Antwort ist",
  not_imap: "Der Server hat etwas gesendet, das keine IMAP-Antwort ist",
  not_imap4rev1: "Der Server spricht kein IMAP4rev1",
  bdat_unknown: "Der Server kennt BDAT nicht",
  reply_out_of_place: "Der Server hat unerwartet geantwortet: {reply}",
  response_out_of_place: "Der Server hat unerwartet geantwortet",
  response_too_long: "Die Antwort des Servers ist zu lang",
  text_too_long: "Der Server hat einen längeren Text gesendet als verlangt",
  session_too_large: "Der Server hat zu viel für eine Sitzung gesendet",
  server_answered: "Der Server antwortete: {reply}",
  command_refused: "Der Server antwortete: {reply}",
  server_left: "Der Server hat die Sitzung beendet: {reply}",
  login_refused: "Der Server lehnt die Anmeldung ab: {reply}",
  login_refused_with_methods: "Der Server lehnt die Anmeldung ab: {reply} (er bietet {methods})",
  login_without_password: "Der Server bietet keine Anmeldung mit Passwort an",
  login_without_password_with_methods:
    "Der Server bietet keine Anmeldung mit Passwort an (er bietet {methods})",
  login_methods_unknown: "Der Server bietet nur {methods} an, weder PLAIN noch LOGIN",
  starttls_missing: "Der Server bietet kein STARTTLS an",
  seen_not_kept: "Nachrichten darin lassen sich nicht als gelesen markieren",
  ehlo_name_invalid: "Der Name für EHLO ist kein Domainname",
  nul_in_smtp_login: "Die Anmeldung enthält ein NUL-Zeichen",
  nul_in_imap_login: "Die Anmeldung enthält ein NUL-Zeichen",
  not_loopback: "{host} ist nicht dieser Rechner, also ist TLS Pflicht",
  name_unknown: "Diesen Namen gibt es im DNS nicht",
  address_missing: "Der Name hat im DNS keine Adresse",
  address_not_public: "Seine Adresse ist nicht öffentlich",
  cloudflare_unreachable:
    "Er gehört zu Cloudflare, und dessen eigene Adressen sind für Workers nicht erreichbar",
  port_in_plain_text: "Der Port antwortet im Klartext, nicht mit TLS",
  certificate_hidden: "Der TLS-Handshake scheitert, bevor der Server ein Zertifikat zeigt",
  certificate_for_others: "Das Zertifikat gilt für {names}, nicht für {host}",
  no_names: "keinen Namen",
  certificate_expired: "Das Zertifikat gilt nur vom {from} bis zum {to}",
  certificate_self_signed:
    "Das Zertifikat ist selbst signiert, nicht von einer öffentlichen Zertifizierungsstelle",
  certificate_untrusted:
    "Das Zertifikat passt zu Name und Zeit, aber seine Zertifizierungsstelle ist nicht vertrauenswürdig, oder das Zwischenzertifikat fehlt",
  no_recipient: "Die E-Mail hat keinen Empfänger",
  too_many_recipients: "Eine E-Mail hat höchstens {max} Empfänger",
  sender_invalid: "Die Adresse des Absenders lässt sich nicht senden",
  recipient_invalid: "Die Adresse eines Empfängers lässt sich nicht senden",
  extension_missing: "Der Server bietet {extension} nicht an, und diese E-Mail braucht es",
  message_too_large: "Die E-Mail hat {bytes} Bytes, und der Server nimmt höchstens {max} an",
  server_said: "{words}",
  dns_silent: "Das DNS hat nicht geantwortet, also wurden die Adressen nicht geprüft",
  addresses_found: "Adressen: {count}",
  addresses_reachable: "{addresses}",
  connected: "verbunden",
  connected_with_tls: "verbunden, mit TLS",
  tls_on: "TLS ist an",
  logged_in: "angemeldet",
  login_skipped: "ohne Anmeldung: Der Server bietet keine an, oder es gibt keinen Benutzernamen",
  login_not_needed: "Der Server verlangt keine Anmeldung",
  unread_counted: "ungelesene Nachrichten: {count}",

  check_host_name:
    "Prüfe den Namen des Servers auf Tippfehler, oder frage deinen E-Mail-Anbieter danach.",
  enter_mail_host:
    "Gib den Namen des Mailservers selbst ein: Dieser Name hat keinen Adresseintrag.",
  turn_off_proxy:
    "Steht dein eigener Server hinter dem Proxy von Cloudflare, dann stelle seinen DNS-Eintrag auf „Nur DNS“. Sonst gib einen anderen Mailserver ein: Die Mailserver von Cloudflare selbst sind von Workers aus nicht erreichbar.",
  use_public_host:
    "Gib einen Server mit einer öffentlichen Adresse ein. Private Netze erreicht dieser Dienst nicht.",
  test_again:
    "Prüfe es in ein paar Minuten noch einmal. Wenn es so bleibt, frage deinen E-Mail-Anbieter.",
  check_smtp_host:
    "Der Server nimmt auf Port {port} keine Verbindung an. Prüfe SMTP-Server und Port: Die meisten Anbieter haben 465 und 587. Eine Firewall davor muss Verbindungen von jeder Adresse zulassen, denn Cloudflare veröffentlicht nicht, von welchen Adressen Workers sich verbinden.",
  client_refused: "Der Server lehnt diesen Client ab. Seine Antwort nennt den Grund.",
  check_smtp_port:
    "Erwartet der Port implizites TLS, dann gib Port 465 ein. Sonst prüfe, ob dort ein SMTP-Server antwortet. Ein gescheiterter TLS-Handshake sieht genauso aus.",
  use_own_domain:
    "Der Server lehnt den Namen dieses Clients ab, und das ist die Domain des Absenders. Gib eine Adresse des Absenders mit einer eigenen Domain ein. Diese Domain braucht einen A- oder MX-Eintrag.",
  use_port_465:
    "Gib Port 465 ein, wenn der Server ihn anbietet. Sonst muss der Server STARTTLS mit einem gültigen Zertifikat anbieten.",
  use_port_587: "Gib Port 587 ein: Nur Port 465 verwendet implizites TLS.",
  use_other_port: "Port {port} funktioniert: Gib ihn mit dem Passwort ein, und prüfe noch einmal.",
  check_smtp_login:
    "Prüfe Benutzername und Passwort. Viele Anbieter verlangen statt des Passworts für das Konto ein App-Passwort oder einen SMTP-Schlüssel.",
  use_other_server:
    "Gib einen anderen Server oder Port ein: Die Anmeldung braucht PLAIN oder LOGIN und eine Antwort innerhalb von zehn Sekunden.",
  look_for_mail:
    "Der Server hat die E-Mail nicht bestätigt. Sieh nach, ob sie ankam, bevor du noch einmal prüfst.",
  use_allowed_sender:
    "Der Server lässt dieses Konto nicht mit der Adresse des Absenders senden. Gib eine Adresse ein, die das Konto verwenden darf.",
  check_recipients:
    "Der Server lehnt deine eigene Adresse als Empfänger ab. Prüfe, ob das Konto an andere Domains senden darf und ob es deine Adresse gibt.",
  set_up_domain:
    "Der Server lehnt die E-Mail selbst ab. Seine Antwort nennt den Grund. Oft ist die Domain des Absenders beim Anbieter nicht eingerichtet.",
  check_imap_host:
    "Der Server nimmt auf Port {port} keine Verbindung an. Prüfe Server und Port: Die meisten Anbieter haben 993. Eine Firewall davor muss Verbindungen von jeder Adresse zulassen, denn Cloudflare veröffentlicht nicht, von welchen Adressen Workers sich verbinden.",
  check_imap_server:
    "Prüfe, ob auf diesem Port ein IMAP-Server mit TLS antwortet. Ein gescheiterter TLS-Handshake sieht genauso aus.",
  use_port_993: "Gib Port 993 ein: Das Postfach verlangt implizites TLS.",
  enable_password_login:
    "Postrider meldet sich mit PLAIN oder LOGIN an. Sind Benutzername und Passwort richtig, bitte deinen E-Mail-Anbieter, eines von beiden einzuschalten.",
  check_imap_login:
    "Prüfe Benutzername und Passwort. Viele Anbieter verlangen statt des Passworts für das Konto ein App-Passwort, und bei manchen musst du IMAP erst einschalten.",
  check_folder:
    "Gib den Namen eines Ordners ein, den es gibt und den das Konto ändern darf, zum Beispiel INBOX.",
  check_tls_port:
    "Prüfe, ob der Port für TLS da ist und ob der Server ein Zertifikat hat. Gehört der Server nicht dir, dann sage es deinem E-Mail-Anbieter.",
  use_covered_host:
    "Gib einen Namen als Server ein, für den es gilt. Sonst braucht der Server ein Zertifikat für {host}.",
  renew_certificate:
    "Erneuere das Zertifikat des Servers. Gehört der Server nicht dir, dann sage es deinem E-Mail-Anbieter.",
  get_certificate:
    "Gib dem Server ein Zertifikat einer öffentlichen Zertifizierungsstelle, zum Beispiel Let’s Encrypt. Gehört der Server nicht dir, dann sage es deinem E-Mail-Anbieter.",
  send_chain:
    "Lass den Server die ganze Kette eines Zertifikats einer öffentlichen Zertifizierungsstelle senden. Gehört der Server nicht dir, dann sage es deinem E-Mail-Anbieter.",
};
