import { plural } from "../../lib/format.ts";
import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  title: "Automationen",
  lead: "E-Mails, die von allein hinausgehen: wenn sich jemand anmeldet, etwas kauft oder lange nicht da war.",
  newAutomation: "Neue Automation",
  none: "Noch keine Automationen",
  noneWords:
    "Beginne mit einer fertigen, zum Beispiel einer Willkommensserie. Nichts wird gesendet, bevor du sie startest.",
  name: "Name",
  state: "Status",
  states: { draft: "Entwurf", active: "Aktiv", paused: "Pausiert", stopped: "Beendet" },
  people: { inside: "Drin", entered: "Eingetreten", ended: "Fertig" },
  created: "Erstellt",
  newLead: "Wähle eine, mit der du beginnst. Vor dem Start kannst du alles ändern.",
  back: "Alle Automationen",
  use: "Verwenden",
  useNamed: (name) => `Verwenden: ${name}`,
  scratch: "Leer beginnen",
  scratchWords: "Eine leere Automation, die beginnt, wenn sich jemand anmeldet.",
  begin: "Leer beginnen",
  unnamed: "Neue Automation",
  views: { steps: "Schritte", rehearsal: "Probe", report: "Bericht" },
  saving: "Wird gespeichert …",
  allSaved: "Alles gespeichert",
  notSaved: "Nicht gespeichert",
  incomplete: "Noch nicht gespeichert: fülle aus, was markiert ist",
  notPublished: "Deine Änderungen sind noch nicht veröffentlicht",
  published: (version) => `Veröffentlicht: Version ${version}`,
  redo: "Wiederholen",
  nothingTo: (action) => `${action}: mehr gibt es nicht`,
  pause: "Pausieren",
  stop: "Beenden",
  resume: "Fortsetzen",
  rehearse: "Proben und starten",
  here: (count) => `${plural(count, "Person", "Personen")} hier`,
  sent: (count) => `${plural(count, "E-Mail", "E-Mails")} gesendet`,
  opened: (share) => `${share} geöffnet`,
  clicked: (share) => `${share} geklickt`,
  enter: "Personen hinzufügen",
  enterWords: "Alle, die diese Regeln erfüllen, treten jetzt ein.",
  ruleFirst: "Füge zuerst eine Regel hinzu.",
  entered: (count) => `${plural(count, "Person ist", "Personen sind")} eingetreten.`,
  publish: "Änderungen veröffentlichen",
  discard: "Änderungen verwerfen",
  nothingToPublish: "Es gibt keine Änderungen.",
  decideFirst: "Wähle zuerst, welche Änderungen bleiben.",
  insideNow: (count) =>
    count === 1
      ? "1 Person ist gerade drin. Was soll mit ihr geschehen?"
      : `${plural(count, "Person ist", "Personen sind")} gerade drin. Was soll mit ihnen geschehen?`,
  inside: { stay: "Sie beenden die alte Version", move: "Sie wechseln zur neuen Version" },
  insideHints: {
    stay: "Nur wer von jetzt an eintritt, bekommt die Änderungen.",
    move: "Bei ihrem nächsten Schritt gehen sie mit der neuen Version weiter. Wessen Schritt es nicht mehr gibt, beendet die alte.",
  },
  questions: {
    pause: "Diese Automation pausieren?",
    stop: "Diese Automation endgültig beenden?",
    delete: "Diese Automation löschen?",
  },
  pauseWords: (count) =>
    count === 0
      ? "Solange sie pausiert, tritt niemand ein, und keine E-Mail geht hinaus."
      : `${plural(count, "Person bleibt", "Personen bleiben")}, wo sie sind, und keine E-Mail geht hinaus. Solange sie pausiert, tritt niemand ein. Nach dem Fortsetzen geht es für alle weiter.`,
  stopWords: (count) =>
    count === 0
      ? "Niemand tritt mehr ein. Sie lässt sich nicht wieder starten, aber ihr Bericht bleibt."
      : `${plural(count, "Person verlässt", "Personen verlassen")} sie sofort und bekommen die restlichen E-Mails nicht. Sie lässt sich nicht wieder starten, aber ihr Bericht bleibt.`,
  deleteWords:
    "Ihre Schritte, E-Mails und Zahlen werden gelöscht. Das lässt sich nicht rückgängig machen.",
  done: {
    start: "Die Automation läuft.",
    pause: "Die Automation ist pausiert.",
    stop: "Die Automation ist beendet.",
    delete: "Die Automation ist gelöscht.",
    publish: "Die Änderungen sind veröffentlicht.",
  },
  stoppedWords: "Diese Automation ist beendet und lässt sich nicht mehr ändern.",
  conflict: "Jemand anderes hat diese Automation geändert",
  conflictWords: "Deine Änderungen bleiben auf dieser Seite, bis du wählst.",
  keepMine: "Zusammenführen, meine zuerst",
  takeTheirs: "Andere übernehmen",
  compare: "Vergleichen",
  compareTitle: "Deine Version und die andere",
  mine: "Deine",
  theirs: "Die andere",
  merged: "Beide Versionen sind zusammengeführt. Rückgängig bringt deine allein zurück.",
  tookTheirs: "Du siehst jetzt die andere Version. Rückgängig bringt deine zurück.",
  leaveTitle: "Ohne Speichern verlassen?",
  leaveWords: "Deine Änderungen an dieser Automation sind nicht gespeichert.",
  leave: "Verlassen",
};
