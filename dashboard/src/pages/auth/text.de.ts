import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  loginTitle: "Anmelden",
  email: "E-Mail",
  password: "Passwort",
  name: "Dein Name",
  logIn: "Anmelden",
  forgotLink: "Passwort vergessen?",
  registerLink: "Konto erstellen",
  haveAccount: "Ich habe ein Konto",
  setupTitle: "Postrider einrichten",
  setupWords: "Erstelle das erste Konto dieses Dienstes. Andere kannst du später einladen.",
  registerTitle: "Konto erstellen",
  setupToken: "Einrichtungsschlüssel",
  setupTokenHint: "Die Einrichtung hat ihn gezeigt. Er ist das Geheimnis SETUP_TOKEN des Workers.",
  passwordHint: "Mindestens 8 Zeichen.",
  createAccount: "Konto erstellen",
  alreadySetUp: "Dieser Dienst ist schon eingerichtet. Melde dich an oder bitte um eine Einladung.",
  forgotTitle: "Passwort vergessen?",
  forgotWords:
    "Wenn es ein Konto mit dieser Adresse gibt, ist ein Link für ein neues Passwort unterwegs.",
  forgotHelp:
    "Keine E-Mail? Vielleicht ist der Dienst nicht für eigene E-Mails eingerichtet. Wer ihn betreibt, kann mit npm run user -- reset-password ein Passwort setzen.",
  sendLink: "Link senden",
  resetTitle: "Neues Passwort setzen",
  newPassword: "Neues Passwort",
  setPassword: "Passwort setzen",
  resetDone: "Dein neues Passwort ist gesetzt. Melde dich damit an.",
  linkBroken: "Dieser Link ist unvollständig. Öffne ihn noch einmal aus der E-Mail.",
  confirmTitle: "Adresse bestätigen",
  confirmDone: "Deine Adresse ist bestätigt.",
  goOn: "Weiter",
  acceptTitle: "Einladung annehmen",
  invitedWords: (inviter, workspace, role) =>
    `${inviter} hat dich mit der Rolle ${role} zu ${workspace} eingeladen.`,
  acceptLogIn: (email) =>
    `Du hast schon ein Konto mit ${email}. Nimm an, um den Arbeitsbereich hinzuzufügen.`,
  acceptSignIn: (email) =>
    `Du bist nicht als ${email} angemeldet. Gib das Passwort dieses Kontos ein.`,
  accept: "Annehmen",
};
