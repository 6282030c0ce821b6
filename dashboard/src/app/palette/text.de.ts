import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  hint: "Zu einer Seite oder einem Projekt springen",
  hintInProject: "Eine Seite, Vorlage, Aussendung oder Person finden",
  looking: "Wird gesucht …",
  nothingFound: "Keine Treffer.",
  howItLooks:
    "Findet Personen am Anfang ihrer Adresse oder ihres Namens und die neuesten 100 Aussendungen.",
  template: "Vorlage",
  broadcast: "Aussendung",
  person: "Person",
};
