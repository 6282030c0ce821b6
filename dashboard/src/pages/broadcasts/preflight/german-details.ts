import { germanNumber } from "../../../ui/german-faults.ts";
import { germanReason } from "../german-reasons.ts";

type Words = (found: (string | undefined)[], timeOf: (at: string) => string) => string | undefined;

/** The reasons why a link does not work, as the service words it in brackets behind the link. */
const LINK_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/its server could not be reached/g, "ihr Server ist nicht erreichbar"],
  [/its server did not answer in time/g, "ihr Server antwortet nicht rechtzeitig"],
  [/its server answers programs with (\d+)/g, "ihr Server antwortet Programmen mit $1"],
  [/its server answers (\d+)/g, "ihr Server antwortet mit $1"],
  [/it redirects to no address/g, "sie leitet nirgendwohin weiter"],
  [/it redirects more than (\d+) times/g, "sie leitet mehr als $1-mal weiter"],
  [/\(empty\) \(the link is empty\)/g, "ein leerer Link"],
  [/the link is relative, and a mail has no page of its own/g, "der Link ist relativ"],
  [/mail programs block links of this kind/g, "Mailprogramme sperren solche Links"],
  [/the link does not parse as a URL/g, "der Link ist keine URL"],
];

/** Returns how many links there are and which, as the service lists them. */
function sayLinks(count: string | undefined, links = ""): string {
  const german = LINK_FAULTS.reduce((text, [fault, words]) => text.replace(fault, words), links);
  return count === undefined ? `1 Link: ${german}` : `${germanNumber(count)} Links: ${german}`;
}

/** The forms of a message about links. */
const LINKS: readonly (readonly [RegExp, Words])[] = [
  [/^(?:a link|(\d+) links) [^:]+: ([^]+)$/, ([count, links]) => sayLinks(count, links)],
];

/** The form of a message whose words come from elsewhere in the service. */
const asSaid = (german: (message: string) => string | undefined): [RegExp, Words] => [
  /^([^]+)$/,
  ([message = ""]) => german(message),
];

const AGO: Record<string, string> = { minutes: "Minuten", hours: "Stunden" };

/** The service's messages about problems with names and numbers, and their German forms. */
const DETAILS: Record<string, readonly (readonly [RegExp, Words])[]> = {
  no_sender: [asSaid(germanReason)],
  paused_broadcast: [
    [
      /^the broadcast "([^]*)" paused by itself and waits for you: ([^]*)$/,
      ([subject, reason = ""]) => `„${subject}“: ${germanReason(reason) ?? reason}`,
    ],
  ],
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
  uncounted_variant: [
    [
      /^variants without HTML .*: ([A-E]|[A-E, ]+ and [A-E])$/,
      ([named = ""]) => `Ohne HTML: ${named.replace(" and ", " und ")}`,
    ],
    [
      /^variants without a tracked link .*: ([A-E]|[A-E, ]+ and [A-E])$/,
      ([named = ""]) => `Ohne Link, der Klicks zählt: ${named.replace(" and ", " und ")}`,
    ],
  ],
  template_name_shared: [
    [
      /^other templates have the name ("[^]*"), too: /,
      ([name = ""]) =>
        `Ein Versand unter dem Namen „${JSON.parse(name)}“ nimmt die Vorlage, die zuletzt geändert wurde.`,
    ],
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
  invalid_link: LINKS,
  broken_link: LINKS,
  link_not_https: LINKS,
  link_unclear: LINKS,
  links_left_out: [[/^(\d+) more links/, ([count]) => `Ungeprüft: ${germanNumber(count)}.`]],
};

const VARIANT = /^variant ([A-E]): ([^]*)$/;

/**
 * Returns in German what the service says about a problem; undefined if the words cannot be derived
 * reliably from its own.
 */
export function germanDetail(
  { code, message }: { code: string; message: string },
  timeOf: (at: string) => string,
): string | undefined {
  const [, letter, ofVariant] = VARIANT.exec(message) ?? [];
  const forms = Object.hasOwn(DETAILS, code) ? DETAILS[code] : undefined;
  for (const [pattern, words] of forms ?? []) {
    const found = pattern.exec(ofVariant ?? message);
    const said = found && words(found.slice(1), timeOf);
    if (said) return letter ? `Variante ${letter}: ${said}` : said;
  }
  return undefined;
}
