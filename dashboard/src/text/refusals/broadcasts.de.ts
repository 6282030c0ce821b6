import type { BROADCASTS } from "../../../../src/messages/refusals/broadcasts.ts";

/** German texts of errors about broadcasts (src/messages/refusals). */
export const GERMAN_BROADCASTS: Record<keyof typeof BROADCASTS, string> = {
  broadcast_is_draft: "Die Aussendung ist ein Entwurf. Starte sie zuerst",
  broadcast_is_scheduled: "Die Aussendung ist geplant und hat noch nicht begonnen",
  broadcast_is_queued: "Die Aussendung wartet noch auf eine andere",
  broadcast_is_sending: "Die Aussendung läuft schon",
  broadcast_is_paused: "Die Aussendung ist angehalten",
  broadcast_is_done: "Die Aussendung ist schon fertig",
  broadcast_is_cancelled: "Die Aussendung ist schon beendet",
  broadcast_changed: "Die Aussendung hat sich währenddessen geändert. Versuche es noch einmal",
  broadcast_has_problems: "Die Prüfung hat Probleme gefunden, die du noch nicht bestätigt hast",
  draft_not_sendable: "Der Entwurf lässt sich nicht senden: {reason}",
  no_unsubscribe_link: "Im HTML einer Aussendung muss {variable} stehen",
  no_ab_test: "Die Aussendung hat keinen A/B-Test",
  winner_chosen: "Die siegreiche Variante steht schon fest",
  ab_test_in_planning:
    "Die siegreiche Variante steht schon fest, oder der A/B-Test wird noch geplant",
  chunk_taken_over: "Ein anderer Prozess sendet diese E-Mails",
};
