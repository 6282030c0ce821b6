import { GERMAN_MESSAGES } from "../../../text/messages.de.ts";
import type { PreflightCode, PreflightReasonCode } from "../../../../../src/messages/preflight.ts";
import { GERMAN_CONDITIONS } from "../../../parts/segments/conditions.de.ts";
import { GERMAN_FINDINGS } from "../../../parts/sending-server/findings.de.ts";
import { GERMAN_CONTENT } from "../../../parts/templates/content.de.ts";
import { ofProblem } from "./say-detail.ts";

/** German texts of pre-flight problems: whole sentences (src/messages). */
export const GERMAN_DETAILS: Record<PreflightCode, string> = {
  broken_audience: "{reason}",
  empty_audience: "Niemand würde diese Aussendung bekommen.",
  unknown_topic:
    "Die Regeln nennen das Thema „{name}“, das es nicht gibt. Es trifft auf niemanden zu, mit „not“ auf alle.",
  similar_broadcast:
    "Eine Aussendung mit demselben Betreff oder Inhalt beginnt innerhalb von 24 Stunden vor oder nach dieser: „{subject}“, {time}.",
  wrong_start_time: "{reason}",
  no_content: "{reason}",
  broken_content: "{reason}",
  too_large: "Die E-Mail hat {bytes} Bytes, und mehr als {max} kommen nicht an.",
  invalid_link: "Diese Links sind ungültig: {links}.",
  no_sender: "{reason}",
  storage_full: "Der Speicher ist zu {percent} % voll, deshalb werden keine E-Mails gesendet.",
  missing_variable: "{reason}",
  no_unsubscribe_link: "{reason}",
  broken_link: "Diese Links funktionieren nicht: {links}.",
  clipped: "{reason}",
  placeholder: "{reason}",
  sender_problem: "{check} von {domain}: {finding}",
  daily_limit:
    "Von {mails} E-Mails werden heute {free} gesendet, die anderen an den folgenden Tagen. Das Limit beträgt {limit} pro Tag.",
  storage_short:
    "Das Protokoll dieser Aussendung füllt den Speicher zu {after} %. Bei {full} % hält sie an.",
  paused_broadcast:
    "Die Aussendung „{subject}“ hat von selbst angehalten und wartet auf dich: {reason}",
  identical_variants: "Die Varianten {variants} sind gleich, also wäre der Gewinner Zufall.",
  link_not_https: "Diese Links sind nicht verschlüsselt (https): {links}.",
  link_unclear: "Diese Links ließen sich nicht prüfen: {links}.",
  no_text_part: "{reason}",
  image_without_alt: "{reason}",
  sender_warning: "{check} von {domain}: {finding}",
};

export const GERMAN_REASONS: Record<PreflightReasonCode | "and_more", string> = {
  more_like_it: "{reason} Noch {count} davon.",
  of_variant: "Variante {variant}: {problem}",
  and_more: "{names} und {count} weitere",
  list_item: "{one}, {next}",
  variable_of_nobody: "{variable} ist für alle leer: Nichts gibt ihr einen Wert.",
  variable_of_some:
    "{variable} ist bei {people} von {looked} geprüften Empfängern leer, zum Beispiel bei {examples}.",
  link_because: "{url} ({reason})",
  link_not_public: "er führt zu einer Adresse, die nicht öffentlich ist: {reason}",
  link_not_asked: "geprüft werden nur die ersten {max} Links",
  link_slow: "der Server antwortet nicht rechtzeitig",
  link_unreachable: "der Server ist nicht erreichbar",
  link_status: "der Server antwortet mit {status}",
  link_status_to_programs: "der Server antwortet Programmen mit {status}",
  too_many_redirects: "er leitet mehr als {max}-mal weiter",
};

/** All texts of the details. */
export const GERMAN_PREFLIGHT = {
  ...GERMAN_MESSAGES,
  ...GERMAN_CONDITIONS,
  ...GERMAN_FINDINGS,
  ...GERMAN_CONTENT,
  ...GERMAN_REASONS,
  ...Object.fromEntries(
    Object.entries(GERMAN_DETAILS).map(([code, text]) => [ofProblem(code), text]),
  ),
};
