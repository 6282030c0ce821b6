import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  loginTitle: "Anmelden",
  email: "E-Mail",
  password: "Passwort",
  name: "Dein Name",
  logIn: "Anmelden",
  forgotLink: "Passwort vergessen?",
  registerLink: "Konto anlegen",
  haveAccount: "Ich habe ein Konto",
  setupTitle: "Postrider einrichten",
  setupWords: "Dieser Dienst hat noch kein Konto. Das erste ist deines; es kann andere einladen.",
  registerTitle: "Konto anlegen",
  setupToken: "Einrichtungsschlüssel",
  setupTokenHint: "Die Einrichtung hat ihn gezeigt. Er ist das Geheimnis SETUP_TOKEN des Workers.",
  passwordHint: "Mindestens 8 Zeichen.",
  createAccount: "Konto anlegen",
  alreadySetUp: "Dieser Dienst ist eingerichtet. Melde dich an oder bitte um eine Einladung.",
  forgotTitle: "Passwort vergessen?",
  forgotWords: "Wenn die Adresse ein Konto hat, ist ein Link für ein neues Passwort unterwegs.",
  forgotHelp:
    "Es kommt keine E-Mail? Dann hat der Dienst kein Projekt für eigene E-Mail. Wer ihn betreibt, setzt das Passwort mit npm run user -- reset-password.",
  sendLink: "Link schicken",
  resetTitle: "Neues Passwort setzen",
  newPassword: "Neues Passwort",
  setPassword: "Passwort setzen",
  resetDone: "Das Passwort ist gesetzt. Melde dich damit an.",
  linkBroken: "Dieser Link ist unvollständig. Öffne ihn noch einmal aus der E-Mail.",
  confirmTitle: "Adresse bestätigen",
  confirmDone: "Deine Adresse ist bestätigt.",
  goOn: "Weiter",
  acceptTitle: "Einladung annehmen",
  invitedWords: (inviter, workspace, role) =>
    `${inviter} lädt dich als ${role} zu ${workspace} ein.`,
  acceptLogIn: (email) => `Du hast das Konto ${email}. Die Annahme fügt den Arbeitsbereich hinzu.`,
  acceptSignIn: (email) =>
    `Du bist nicht als ${email} angemeldet. Gib das Passwort dieses Kontos ein.`,
  accept: "Annehmen",
};
