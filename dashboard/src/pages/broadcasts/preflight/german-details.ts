import { germanNumber } from "../../../ui/german-faults.ts";

type Words = (found: (string | undefined)[], timeOf: (at: string) => string) => string;

const AGO: Record<string, string> = { minutes: "Minuten", hours: "Stunden" };

/** What the service says about a problem, where it has names and numbers, and what it is in German. */
const DETAILS: Record<string, readonly (readonly [RegExp, Words])[]> = {
  unknown_topic: [
    [
      /^the condition names a topic that the project does not have: ("[^]*")\. Nobody/,
      ([name = '""']) =>
        `Die Bedingung nennt „${String(JSON.parse(name))}“. Niemand hat dieses Thema abonniert, und „not“ davor meint alle.`,
    ],
  ],
  wrong_start_time: [
    [/^send_at: has passed$/, () => "Die Zeit ist vorbei."],
    [/^time_zone: needs send_at$/, () => "Zur Zeitzone fehlt die Zeit."],
  ],
  identical_variants: [
    [
      /^the variants ([A-E, ]+) and ([A-E]) are the same mail/,
      ([some, last]) =>
        `Die Varianten ${some} und ${last} sind dieselbe Mail, also entscheidet nur der Zufall.`,
    ],
  ],
  similar_broadcast: [
    [
      /^a broadcast with the same subject or HTML was started a minute ago: ([^]*)$/,
      ([subject]) => `„${subject}“ hat vor einer Minute begonnen.`,
    ],
    [
      /^a broadcast with the same subject or HTML was started (\d+) (minutes|hours) ago: ([^]*)$/,
      ([count, unit = "", subject]) =>
        `„${subject}“ hat vor ${germanNumber(count)} ${AGO[unit]} begonnen.`,
    ],
    [
      /^a broadcast with the same subject or HTML is scheduled for (\S+): ([^]*)$/,
      ([at = "", subject], timeOf) => `„${subject}“ ist für ${timeOf(at)} geplant.`,
    ],
  ],
  storage_full: [
    [
      /^the storage is ([\d.]+) % full/,
      ([percent]) => `Er ist zu ${germanNumber(percent)} % voll.`,
    ],
  ],
  storage_short: [
    [
      /^the log of this broadcast fills the storage to (\d+) %: at (\d+) %/,
      ([after, most]) => `Er wäre danach zu ${after} % voll, und bei ${most} % hält sie an.`,
    ],
  ],
  daily_limit: [
    [
      /^the limit of (\d+) mails a day leaves room for (\d+) of (\d+) mails today/,
      ([limit, free, all]) =>
        `Von ${germanNumber(all)} Mails gehen heute ${germanNumber(free)} hinaus, die anderen an den folgenden Tagen. Die Grenze sind ${germanNumber(limit)} am Tag.`,
    ],
  ],
  missing_variable: [
    [
      /^(\{\{[^]+\}\}) is empty for everybody/,
      ([name]) => `${name} ist für alle leer: Nichts gibt ihr einen Wert.`,
    ],
    [
      /^(\{\{[^]+?\}\}) is empty for (\d+) of (\d+) recipients looked at, such as ([^]*)$/,
      ([name, count, of, people]) =>
        `${name} ist bei ${germanNumber(count)} von ${germanNumber(of)} geprüften Empfängern leer, zum Beispiel bei ${people}.`,
    ],
  ],
  link_not_https: [
    [/^a link is not https: ([^]+)$/, ([links]) => `1 Link: ${links}`],
    [
      /^(\d+) links are not https: ([^]+)$/,
      ([count, links]) => `${germanNumber(count)} Links: ${links}`,
    ],
  ],
  links_left_out: [[/^(\d+) more links/, ([count]) => `Ungeprüft: ${germanNumber(count)}.`]],
};

const VARIANT = /^variant ([A-E]): ([^]*)$/;

/**
 * Returns in German what the service says about a problem; undefined where the words cannot be had
 * reliably from its own.
 */
export function germanDetail(
  { code, message }: { code: string; message: string },
  timeOf: (at: string) => string,
): string | undefined {
  const [, letter, ofVariant] = VARIANT.exec(message) ?? [];
  for (const [pattern, words] of DETAILS[code] ?? []) {
    const found = pattern.exec(ofVariant ?? message);
    if (found) return `${letter ? `Variante ${letter}: ` : ""}${words(found.slice(1), timeOf)}`;
  }
  return undefined;
}
