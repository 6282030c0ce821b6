import type { REQUEST } from "../../../../src/messages/refusals/request.ts";

/** German texts of request errors (src/messages/refusals). */
export const GERMAN_REQUEST: Record<keyof typeof REQUEST, string> = {
  invalid_request: "{path}: {reason}",
  unknown_field: "{path}: {reason}",
  body_not_json: "Der Inhalt ist kein gültiges JSON: Zeile {line}, Spalte {column}",
  body_is_form: "Der Inhalt ist ein Formular und muss JSON sein",
  body_not_utf8: "Der Inhalt ist kein gültiges UTF-8",
  body_too_complex: "Der Inhalt {reason}",
  body_too_slow: "Der Inhalt kam nicht in {seconds} s an. Versuche es noch einmal",
  body_paused: "Der Inhalt blieb länger als {seconds} s aus. Versuche es noch einmal",
  search_without_csv: "Eine Suche gibt es nicht als CSV. Filtere stattdessen die ganze Liste",
  wrong_content_type: "Der Inhalt muss JSON sein",
  invalid_idempotency_key: "Der Idempotency-Key muss 1 bis 255 druckbare ASCII-Zeichen haben",
  session_required: "Dafür musst du angemeldet sein",
  license_required: "Dafür fehlt dem Dienst eine Lizenz",
  foreign_site: "Die Anfrage kommt von einer anderen Website",
  not_found: "Das gibt es nicht oder nicht mehr",
  method_not_allowed: "{method} geht hier nicht, nur {allow}",
  idempotency_key_reused: "Der Idempotency-Key gehört zu einer anderen Anfrage",
  first_request_running: "Die erste Anfrage läuft noch. Versuche es gleich noch einmal",
  first_outcome_unknown:
    "Niemand weiß, wie die erste Anfrage ausging. Sieh nach, bevor du sie wiederholst",
  precondition_failed: "Jemand anders hat das inzwischen geändert. Lade die Seite neu",
  payload_too_large: "Der Inhalt ist größer als {limit}",
  rate_limited: "Mehr als {limit} Anfragen in einer Minute sind nicht erlaubt",
  hourly_limit_reached: "Mehr als {limit} Anfragen in einer Stunde sind nicht erlaubt",
  too_many_searches: "Mehr als {limit} Suchen in einer Minute über viele Personen gehen nicht",
  large_request_running: "Eine andere große Anfrage läuft noch. Versuche es gleich noch einmal",
  slow_request_displaced:
    "Eine andere große Anfrage hat diese langsame verdrängt. Versuche es noch einmal",
  database_unavailable: "Die Datenbank antwortet nicht",
  rate_limiter_unavailable: "Der Zähler der Anfragen antwortet nicht. Versuche es noch einmal",
  internal_error: "Im Dienst ist ein Fehler aufgetreten",
};
