import { formatNumber } from "../../../lib/format.ts";
import type { en } from "./text.en.ts";

export const de: typeof en = {
  bouncesLead:
    "Kommt eine E-Mail zurück, wird die Adresse gesperrt und bekommt keine mehr. Du musst nichts tun.",
  suppressedAddresses: "Gesperrte Adressen",
  bounceWays: "Wie Rückläufer ankommen",
  bounceWaysWords:
    "Die meisten Rückläufer sind Antworten deines Mailservers und brauchen keine Einrichtung. Manche Server melden einen Rückläufer erst später: Richte einen der anderen Wege ein, damit auch diese Meldungen ankommen.",
  ways: {
    replies: {
      title: "Antworten des Servers",
      words: "Dein Mailserver sagt schon beim Senden, dass es eine Adresse nicht gibt.",
    },
    mailbox: {
      title: "Postfach",
      words: "Postrider liest die Rückläufermeldungen in einem Postfach, alle fünf Minuten.",
    },
    routing: {
      title: "Email Routing",
      words:
        "Cloudflare gibt Rückläufermeldungen an Postrider weiter, über eine Adresse deiner eigenen Domain.",
    },
    provider: {
      title: "E-Mail-Anbieter",
      words:
        "Dein Anbieter, etwa Amazon SES oder Brevo, meldet Rückläufer und Beschwerden an eine URL.",
    },
  },
  wayStates: {
    working: "Funktioniert",
    failing: "Funktioniert nicht",
    set: "Eingerichtet",
    ready: "Bereit",
    missing: "Nicht eingerichtet",
  },
  bounceUrlWords:
    "Hinterlege diese URL bei deinem E-Mail-Anbieter oder Server als Webhook für Rückläufer und Beschwerden. Wer sie kennt, kann Rückläufer melden, also halte sie geheim.",
  bounceUrlHidden: "Diese URL ist geheim. Nur Rollen, die das Projekt ändern dürfen, sehen sie.",
  bounceProvider: "E-Mail-Anbieter",
  otherProvider: "Ein anderer Anbieter oder ein Server",
  providerKeys: {
    sns_topic_arn: "ARN des Topics",
    sendgrid_public_key: "Prüfschlüssel",
    mailgun_signing_key: "Signaturschlüssel für HTTP-Webhooks",
    resend_signing_key: "Signaturgeheimnis",
    postal_signing_key: "Öffentlicher Schlüssel",
    zeptomail_signing_key: "Authentifizierungsschlüssel",
    lettermint_signing_key: "Signaturgeheimnis",
  },
  providerKeyHint:
    "Ist er gespeichert, zählen Meldungen dieses Anbieters nur noch mit seiner Signatur.",
  keySaved: "Ein Schlüssel ist gespeichert. Ein neuer ersetzt ihn, ein leeres Feld entfernt ihn.",
  saveKey: "Schlüssel speichern",
  rotate: "URL ändern",
  rotateTitle: "URL ändern?",
  rotateWords:
    "Die alte URL funktioniert sofort nicht mehr. Hinterlege die neue bei deinem Anbieter.",
  rotated: "Die URL wurde geändert.",
  rotatedAt: "Erstellt",
  mailboxOn: "Ein Postfach lesen",
  mailboxFields: { host: "IMAP-Server", user: "Benutzername", folder: "Ordner" },
  port: "Port",
  password: "Passwort",
  lastPolled: "Zuletzt gelesen:",
  testMailbox: "Postfach prüfen",
  mailboxFails: "Das Postfach lässt sich nicht lesen.",
  mailboxWorks: (unseen) =>
    `Das Postfach lässt sich lesen. Im Ordner ${unseen === 1 ? "wartet 1 E-Mail" : `warten ${formatNumber(unseen)} E-Mails`}.`,
  advanced: "Erweitert",
  rules: "Wann eine Adresse gesperrt wird",
  proof: "Meldungen, die Adressen sperren",
  proofHint: "Andere Meldungen sperren keine Adresse und warten auf deine Prüfung.",
  proofs: {
    required: "Nur Meldungen, die eine E-Mail von dir beweisen",
    recent: "Auch Meldungen über kürzlich angeschriebene Adressen",
  },
  any5xx: "Bei jeder endgültigen Abweisung sperren",
  any5xxHint:
    "Auch wenn der Server deine Absenderadresse oder den Inhalt abweist. Das ist selten nötig.",
  softLimit: "Tage mit Soft Bounces, bis eine Adresse gesperrt wird",
  softLimitHint: "Ein Soft Bounce ist vorübergehend, etwa ein volles Postfach.",
  neverSuppress: "Nie",
  returnPath: "Rücksendeadresse",
  returnPathHint: "Wohin Server Rückläufer senden, zum Beispiel bounces+{token}@mail.example.com.",
  forwardTo: "Andere E-Mails weiterleiten an",
  forwardToHint: "Antworten von Menschen, die an der Rücksendeadresse ankommen.",
  brakes: "Automatische Pause",
  brakesHint: "Eine Aussendung hält an, sobald sie eines dieser Limits erreicht.",
  brakeNames: {
    bad_address_pct: "Schlechte Adressen, in Prozent",
    sender_refusal_pct: "Abweisungen des Absenders, in Prozent",
    sender_refusals_in_a_row: "Abweisungen des Absenders in Folge",
    complaint_pct: "Beschwerden, in Prozent",
  },
  sampleFirst: "Mit einer kleinen Stichprobe beginnen",
  sampleFirstHint:
    "Zuerst an wenige senden, eine Minute auf Rückläufer und Beschwerden warten, dann weiter.",
};
