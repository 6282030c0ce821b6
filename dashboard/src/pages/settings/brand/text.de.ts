import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  lead: "Das Aussehen der eingebauten E-Mails, der Bestätigungen und der öffentlichen Seiten. Neue E-Mails aus Blöcken beginnen damit; gespeicherte Vorlagen ändern sich nicht.",
  logo_url: "Logo",
  logoHint: "Eine Adresse, die mit https:// beginnt, oder ein Bild aus deiner Bibliothek.",
  logo_alt: "Beschreibung des Logos",
  altHint: "Erscheint, wo Bilder nicht geladen werden.",
  logo_width: "Breite des Logos in Pixeln",
  accent: "Farbe der Buttons und Links",
  accent_text: "Farbe der Schrift auf Buttons",
  background: "Hintergrundfarbe",
  colorHint: "Zum Beispiel #1d4ed8.",
  chosen: (isWhite) => `Lass das Feld leer für ${isWhite ? "Weiß" : "Schwarz"}.`,
  heading_font: "Schrift der Überschriften",
  text_font: "Schrift der Texte",
  noFont: "Standard",
  postal_address: "Postanschrift",
  addressHint: "Werbliche E-Mails müssen in vielen Ländern eine enthalten.",
  scheme: "Farbschema der Vorschau",
  light: "Hell",
  dark: "Dunkel",
  mail: "E-Mail",
  page: "Öffentliche Seite",
  title: "Anmeldung bestätigen",
  words: "Drücke den Button, um unsere E-Mails zu bekommen.",
  quiet: "Abmelden",
};
