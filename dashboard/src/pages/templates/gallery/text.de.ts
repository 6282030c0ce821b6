import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  newLead: "Wähle, womit du beginnst. Danach kannst du alles ändern.",
  layouts: "Layouts",
  inBrand: "Dein Logo, deine Farben und deine Schriften werden eingesetzt.",
  plain: "Von Grund auf",
  builtIn: "Zum Senden durch dein Programm",
  yours: "Deine Vorlagen",
  choosePictures: "Vorlage oder Layout wählen",
  writeHere: "Layouts, um die E-Mail in dieser Aussendung zu schreiben",
  chosen: (name) => `Die E-Mail beginnt jetzt mit: ${name}`,
  names: {
    newsletter: "Newsletter",
    product_news: "Produktneuigkeiten",
    invitation: "Einladung",
    digest: "Überblick",
    receipt: "Beleg",
    welcome: "Willkommen",
    announcement: "Ankündigung",
    offer: "Angebot",
    letter: "Persönlicher Brief",
    survey: "Umfrage",
  },
  details: {
    newsletter: "Eine große Geschichte, zwei kurze und deine Termine.",
    product_news: "Eine große Verbesserung und mehrere kleine.",
    invitation: "Wann, wo und was passiert, mit einem Button zum Anmelden.",
    digest: "Links zu mehreren Artikeln und einige Zahlen.",
    receipt: "Die Artikel einer Bestellung und ihre Summe.",
    welcome: "Drei Schritte für jemanden, der neu ist.",
    announcement: "Eine Nachricht mit einem Zitat und was sich ändert.",
    offer: "Ein Rabatt mit seinem Code und drei Produkte.",
    letter: "Reiner Text von einem Menschen an einen anderen.",
    survey: "Eine Frage, die ein Klick beantwortet.",
  },
};
