import { germanNumber as count } from "../../ui/german-faults.ts";
import { sayInGerman, type GermanForms } from "../../ui/german-forms.ts";

/** The reasons why servers refuse the mails of a sender (API reference §11.7). */
const REFUSALS: Record<string, string> = {
  sender_rejected: "weil der Server den Absender nicht annimmt",
  blocked: "weil der Absender auf einer Sperrliste steht oder einen schlechten Ruf hat",
  policy: "wegen einer Regel des empfangenden Systems",
  authentication: "weil der Absender SPF, DKIM oder DMARC nicht besteht",
  content: "wegen ihres Inhalts",
  too_large: "weil sie zu groß sind",
  relaying_denied: "weil der Mailserver sie für diese Anmeldung nicht weiterleitet",
};

const why = (reason: string): string =>
  (Object.hasOwn(REFUSALS, reason) && REFUSALS[reason]) || `aus dem Grund ${reason}`;

/** The reasons why a broadcast stopped by itself, or did not go as planned. */
const REASONS: GermanForms = [
  [
    /^(\d+) of the first (\d+) addresses do not exist: clean the list$/,
    (bad, all) =>
      `${count(bad)} der ersten ${count(all)} Adressen gibt es nicht: Bereinige die Liste.`,
  ],
  [
    /^(\d+) of the last (\d+) addresses do not exist \(([^]*)\): clean the list$/,
    (bad, all, reply) =>
      `${count(bad)} der letzten ${count(all)} Adressen gibt es nicht (${reply}): Bereinige die Liste.`,
  ],
  [
    /^1 of (\d+) recipients complained$/,
    (all) => `1 von ${count(all)} Empfängern hat sich beschwert.`,
  ],
  [
    /^(\d+) of (\d+) recipients complained$/,
    (some, all) => `${count(some)} von ${count(all)} Empfängern haben sich beschwert.`,
  ],
  [
    /^(\d+) of the first (\d+) mails were refused for the reason (\w+)$/,
    (some, all, reason) =>
      `Von den ersten ${count(all)} Mails hat der Server ${count(some)} abgewiesen, ${why(reason)}.`,
  ],
  [
    /^(\d+) of the last (\d+) mails were refused for the reason (\w+): ([^]*)$/,
    (some, all, reason, reply) =>
      `Von den letzten ${count(all)} Mails hat der Server ${count(some)} abgewiesen, ${why(reason)}: ${reply}`,
  ],
  [
    /^the server refused (\d+) mails in a row for the reason (\w+): ([^]*)$/,
    (some, reason, reply) =>
      `Der Server hat ${count(some)} Mails nacheinander abgewiesen, ${why(reason)}: ${reply}`,
  ],
  [
    /^smtp settings are not configured$/,
    () => "Das Projekt hat keinen Mailserver: Richte ihn in den Einstellungen ein.",
  ],
  [
    /^from_email is not configured, and smtp_user is not an email address$/,
    () => "Das Projekt hat keine Adresse des Absenders: Gib sie in den Einstellungen ein.",
  ],
  [/^smtp_host is not allowed: ([^]+)$/, (fault) => `Der SMTP-Server ist nicht erlaubt: ${fault}.`],
  [
    /^the stored SMTP password cannot be opened: /,
    () =>
      "Das gespeicherte SMTP-Passwort ist nicht lesbar: Setze ENCRYPTION_KEY_PREVIOUS, oder speichere die Einstellungen des Mailservers noch einmal.",
  ],
  [
    /^the storage of this service is ([\d.]+) % full: /,
    (percent) =>
      `Der Speicher des Dienstes ist zu ${count(percent)} % voll: Es geht keine Mail hinaus, bis sein Betreiber Platz schafft oder alte Einträge des Protokolls verfallen sind.`,
  ],
  [/^topic not found$/, () => "Ihr Thema gibt es nicht mehr."],
  [/^started (\d+) minutes late$/, (late) => `Sie hat ${count(late)} Minuten zu spät begonnen.`],
  [
    /^not sent in some time zones: it was more than (\d+) minutes late there$/,
    (late) =>
      `In einige Zeitzonen ging sie nicht: Dort war sie mehr als ${count(late)} Minuten zu spät.`,
  ],
];

/** Returns in German what a broadcast says about itself; undefined for unknown words. */
export function germanReason(sentence: string): string | undefined {
  const [, reason = sentence, kept] =
    /^([^]+); (not sent in some time zones: .+)$/.exec(sentence) ?? [];
  const said = sayInGerman(REASONS, reason);
  if (kept === undefined) return said;
  return `${(said ?? reason).replace(/\.?$/, ".")} ${germanReason(kept)}`;
}
