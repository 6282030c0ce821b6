import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  projectsTitle: "Projekte",
  projectsLead: (workspace) => `von ${workspace}`,
  noProjects: "Noch keine Projekte",
  noProjectsWords:
    "Ein Projekt hat einen eigenen Mailserver, Vorlagen, Empfänger und ein Protokoll. Beginne mit einem für dein Produkt oder deinen Newsletter.",
  newProject: "Neues Projekt",
  name: "Name",
  nameHint: "Zum Beispiel der Name deines Produkts. Er lässt sich später ändern.",
  create: "Projekt anlegen",
  sends: (host) => `Sendet über ${host}`,
  sendsNothing: "Noch kein Mailserver",
};
