import type { ConditionFaultCode } from "../../../../src/messages/conditions.ts";
import { addGerman } from "../../text/messages.ts";

/** German texts of condition errors (src/messages). */
export const GERMAN_CONDITIONS: Record<ConditionFaultCode | "invalid_condition", string> = {
  invalid_condition: "{reason}",
  at_character: "Zeichen {position}: {fault}",
  at_path: "{path}: {fault}",
  condition_too_long: "höchstens {max} Zeichen",
  condition_too_long_written_out: "höchstens {max} Zeichen, wenn sie ausgeschrieben ist",
  too_many_comparisons: "höchstens {max} Vergleiche",
  too_many_levels: "höchstens {max} Ebenen",
  too_many_brackets: "höchstens {max} Klammern und „not“ ineinander",
  too_many_values: "höchstens {max} Werte",
  conditions_out_of_range: "muss 1 bis {max} Bedingungen haben",
  wrong_form: "muss {form} sein",
  end_expected: "hier muss „and“ oder „or“ stehen, oder die Bedingung muss enden",
  bracket_expected: "hier muss „and“, „or“ oder „)“ stehen",
  operator_expected: "nach „{field}“ fehlt ein Operator, wie in tag:vip",
  field_expected: "hier muss ein Feld stehen, wie in tag:vip",
  condition_expected: "hier muss eine Bedingung stehen, wie tag:vip",
  metadata_name_expected: "hier muss ein Name aus den Metadaten stehen",
  quote_expected: 'nach \\ muss " oder \\ stehen',
  quote_not_closed: "das Anführungszeichen wird nicht geschlossen",
  operator_not_quoted: "ein Text, der mit {operator} beginnt, braucht Anführungszeichen",
  operator_not_first:
    "schreibe {meant}; ein Text, der mit {operator} beginnt, braucht Anführungszeichen",
  misplaced_star: "ein * steht am Anfang oder am Ende eines Werts",
  value_missing: "nach „{operator}“ fehlt ein Wert",
  unknown_field: "das Feld „{field}“ gibt es nicht",
  name_unreadable: "der Name enthält Zeichen, die nicht erlaubt sind",
  span_or_day_expected:
    "{field} braucht eine Zeitspanne wie {field}:30d oder einen Tag wie {field}<2026-01-31",
  span_expected: "{field} braucht eine Zeitspanne wie {field}:30d",
  span_unreadable:
    "{field} braucht eine Zeitspanne aus Stunden, Tagen oder Wochen wie 12h, 90d oder 4w",
  span_too_long: "die längste Zeitspanne von {field} ist {max}",
  no_span: "{field} nimmt keine Zeitspanne",
  only_texts: "{field} nimmt nur Texte",
  only_whole_values: "{field} nimmt nur ganze Werte, wie in {field}:wert",
  no_value: "{field} nimmt hier keinen Wert",
  one_value: "{field} braucht genau einen Wert",
  value_empty: "{field} braucht einen Wert, der nicht leer ist",
  value_unreadable: "ein Wert hat höchstens {max} Zeichen und keine Steuerzeichen",
  import_unreadable: "import nimmt die ID eines Imports; ein Feld der Daten heißt metadata.import",
  unknown_status: "status ist eines davon: {values}",
  tag_unreadable: "ein Schlagwort {reason}",
  event_name_expected: "hier muss der Name eines Ereignisses stehen, wie in event:purchased",
  event_name_unreadable: "der Name eines Ereignisses {reason}",
  event_counted:
    "{field} nimmt eine Anzahl und eine Zeitspanne, wie {field}, {field} in 30d oder {field}>2 in 30d",
  count_expected: "{field} wird mit einer ganzen Zahl bis {max} verglichen",
  event_outside_automation:
    "{field} steht in den Daten des Ereignisses, das eine Automation auslöst: nur ihre Bedingungen kennen es",
  moment_expected: "vergleiche mit einem Tag wie 2026-01-31 oder einem Zeitstempel",
  number_or_moment_expected:
    "vergleiche mit einer Zahl, einem Tag wie 2026-01-31 oder einem Zeitstempel",
  unknown_key: "„{key}“ ist kein Feld: Keine der neuesten {count} Personen hat es",
  misspelled_key:
    "„{key}“ ist kein Feld: Keine der neuesten {count} Personen hat es. Ist „{nearest}“ gemeint?",
};

addGerman(GERMAN_CONDITIONS);
