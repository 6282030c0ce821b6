import type { OPERATIONS } from "../../../../src/messages/refusals/operations.ts";

/** German texts of deployment errors (src/messages/refusals). */
export const GERMAN_OPERATIONS: Record<keyof typeof OPERATIONS, string> = {
  misconfigured: "Der Dienst ist falsch eingestellt: {name} muss {expected} sein",
  storage_full:
    "Der Speicher des Dienstes ist zu {percent} % voll: Es gehen keine E-Mails hinaus, und niemand kommt hinzu, bis sein Betreiber Platz schafft",
  workspace_quota_reached:
    "Der Arbeitsbereich belegt {stored} von {quota}: Niemand kommt hinzu, und Webhooks bekommen keine Ereignisse, bis ihr etwas löscht. Der Platz zählt nach spätestens einer Stunde",
  dead_letter_of_other_version: "Diese Nachricht kennt nur eine andere Version des Dienstes",
  dead_letter_in_replay: "Die Nachricht wird gerade wiederholt. Versuche es in einer Minute",
  queue_unavailable:
    "Die Warteschlange hat die Nachricht nicht angenommen. Versuche es noch einmal",
};
