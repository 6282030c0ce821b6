import type { AUDIENCE } from "../../../../src/messages/refusals/audience.ts";
import type { IMPORTS } from "../../../../src/messages/refusals/imports.ts";

/** German texts of errors about recipients and their lists (src/messages/refusals). */
export const GERMAN_AUDIENCE: Record<keyof typeof AUDIENCE | keyof typeof IMPORTS, string> = {
  subscriber_exists: "Eine Person mit dieser E-Mail-Adresse gibt es schon",
  topic_exists: "Das Projekt hat schon ein Thema namens „{name}“",
  too_many_topics: "Das Projekt hat schon {max} Themen",
  topic_in_use: "Entwürfe oder laufende Aussendungen und Automationen nutzen das Thema: {names}",
  topic_in_conditions: "Bedingungen nennen das Thema: {places}. Ändere sie zuerst",
  topic_name_in_conditions:
    "Bedingungen nennen das Thema beim Namen: {places}. Schreib dort zuerst topic:{id}",
  topic_named_meanwhile:
    "Jemand hat gerade eine Bedingung gespeichert, die das Thema nennen kann. Versuche es noch einmal",
  segment_exists: "Das Projekt hat schon ein Segment namens „{name}“",
  too_many_segments: "Das Projekt hat schon {max} Segmente",
  segment_in_use:
    "Entwürfe, geplante Aussendungen oder laufende Automationen nutzen das Segment: {names}",
  field_exists: "Das Projekt hat schon ein Feld mit dem Schlüssel „{key}“",
  too_many_fields: "Ein Projekt kann höchstens {max} Felder haben",
  too_many_forms: "Das Projekt hat schon {max} Formulare",
  audience_deleted_meanwhile:
    "Ein Thema oder Segment der Aussendung wurde gerade gelöscht. Wähle ein anderes",
  email_kept_changing:
    "Die E-Mail-Adresse der Person hat sich gerade geändert. Versuche es noch einmal",
  erasure_running: "Die Löschung läuft noch. Versuche es in zwei Stunden noch einmal",
  csv_open_quote: "Zeile {line}: Ein Anführungszeichen wird nicht geschlossen",
  csv_text_after_quote: "Zeile {line}: Nach dem schließenden Anführungszeichen folgt Text",
  csv_stray_quote:
    "Zeile {line}: Ein Anführungszeichen in einer Zelle ohne Anführungszeichen zieht die nächsten Zeilen in die Zelle",
  empty_file: "Die Datei ist leer: Ihre erste Zeile muss die Spalten nennen",
  no_email_column: "Die erste Zeile muss die Spalten nennen, darunter email",
  too_many_columns: "Die Datei hat mehr als {max} Spalten",
  too_many_rows: "Die Datei hat mehr als {max} Zeilen. Teile sie auf",
  twin_columns: "Die Spalten {one} und {other} bedeuten dasselbe. Entferne eine davon",
  foreign_list: "Die Datei kommt von einem anderen Dienst ({service})",
  unknown_columns: "Die Spalten {columns} passen zu keinem bekannten Dienst",
  opt_outs_unknown: "Die Datei sagt nicht, wer sich abgemeldet hat. Wähle den Status ihrer Zeilen",
  import_adds_suppressions:
    "Die Datei setzt Adressen auf die Sperrliste, die deine Rolle nicht ändern darf",
};
