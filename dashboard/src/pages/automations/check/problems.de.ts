import type { AutomationProblemCode } from "../../../../../src/messages/automation-problems.ts";
import { addGerman } from "../../../text/messages.ts";

/** German texts of the problems of an automation (src/messages). */
export const GERMAN_AUTOMATION_PROBLEMS: Record<AutomationProblemCode, string> = {
  no_steps: "die Automation hat keine Schritte",
  step_unreachable: "niemand erreicht diesen Schritt: alle Wege davor enden",
  way_unreachable: "niemand nimmt diesen Weg: ein früherer hat dieselbe Bedingung",
  condition_broken: "{reason}",
  template_missing: "das Projekt hat diese Vorlage nicht",
  topic_missing: "das Projekt hat das Thema „{name}“ nicht",
  segment_missing: "das Projekt hat dieses Segment nicht",
  field_missing: "das Projekt hat kein Feld mit dem Schlüssel „{key}“",
  tag_unused: "noch niemand hat das Schlagwort „{tag}“",
  mail_missing:
    "dieser Schritt hat noch keine E-Mail: wähle eine Vorlage, oder schreibe Betreff und Text",
  subject_missing: "die E-Mail hat keinen Betreff",
  mail_broken: "{reason}",
  mail_without_topic:
    "die E-Mail gehört zu keinem Thema, also lässt sich nur alles auf einmal abbestellen",
  mail_without_unsubscribe_link: "die E-Mail zeigt {variable} nicht",
  mail_without_confirmation_link:
    "die E-Mail zeigt {variable} nicht, also kann damit niemand bestätigen",
  webhook_missing: "das Projekt hat keinen Webhook mit dieser URL",
  addresses_missing: "dieser Schritt nennt keine Adressen",
  nothing_to_set: "dieser Schritt ändert nichts",
  variable_missing:
    "{variable} ist bei {people} von {looked} geprüften Personen leer, zum Beispiel bei {examples}",
};

addGerman(GERMAN_AUTOMATION_PROBLEMS);
