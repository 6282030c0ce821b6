import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  hint: "Zu einer Seite oder einem Projekt",
  hintInProject: "Eine Seite, Vorlage, Aussendung oder Person finden",
  looking: "Suche …",
  nothingFound: "So heißt nichts.",
  howItLooks:
    "Personen werden am Anfang von Adresse oder Name erkannt, Aussendungen unter den neuesten 100.",
  template: "Vorlage",
  broadcast: "Aussendung",
  person: "Person",
};
