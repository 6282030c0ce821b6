import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  host: "SMTP-Server",
  hostHint: "Zum Beispiel smtp.example.com; dein Mailanbieter nennt ihn.",
  port: "Port",
  portHint: "In der Regel 587; 465 geht auch.",
  user: "Benutzername",
  password: "Passwort",
  passwordKept: "Leer lassen, um das gespeicherte zu behalten.",
  fromName: "Name des Absenders",
  fromEmail: "Adresse des Absenders",
  fromHint: "Das sehen deine Leser als Absender. Der Server muss dafür senden dürfen.",
  testAndSave: "Prüfen und speichern",
  testWords: (to) =>
    `Die Prüfung schickt eine Mail an ${to}. Erst wenn der Server sie nimmt, wird gespeichert.`,
  testing: "Der Server wird geprüft …",
  worked: (to) => `Der Server nahm eine Mail an ${to}. Die Einstellungen sind gespeichert.`,
  refused: "Der Server nahm die Mail nicht an. Nichts ist gespeichert.",
  steps: {
    dns: "Server finden",
    address: "Adresse prüfen",
    connect: "Verbinden",
    tls: "Verschlüsseln",
    greeting: "Begrüßung",
    ehlo: "Vorstellung",
    auth: "Anmelden",
    mail: "Mail übergeben",
    capability: "Fähigkeiten",
    login: "Anmelden",
    folder: "Ordner öffnen",
    unread: "Ungelesene zählen",
  },
  stepDone: "erledigt",
  stepFailed: "fehlgeschlagen",
  alternative: (port) => `Port ${port} wurde auch versucht.`,
  usePort: (port) => `Port ${port} nehmen`,
};
