import type { AUTOMATIONS } from "../../../../src/messages/refusals/automations.ts";

/** German texts of errors about automations (src/messages/refusals). */
export const GERMAN_AUTOMATIONS: Record<keyof typeof AUTOMATIONS, string> = {
  automation_is_draft: "Die Automation ist ein Entwurf",
  automation_is_active: "Die Automation läuft",
  automation_is_paused: "Die Automation ist pausiert",
  automation_is_stopped: "Die Automation ist beendet, und das ist endgültig",
  automation_has_problems: "Die Automation hat Probleme: {codes}",
  automation_not_manual:
    "Nur in eine Automation mit dem Auslöser „manuell“ kannst du Leute aufnehmen",
  too_many_automations: "Das Projekt hat schon {max} Automationen, mehr gehen nicht",
};
