import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  images: "Bilder",
  imagesLead: "Bilder für die E-Mails dieses Projekts, von seiner eigenen Adresse ausgeliefert.",
  upload: "Bild hochladen",
  uploadHint:
    "PNG, JPEG, GIF oder WebP, bis zu 10 MiB. Du kannst es auch hierher ziehen oder einfügen. Große Bilder werden auf 1.200 Pixel Breite verkleinert.",
  uploading: (percent: string) => `Wird hochgeladen, ${percent}`,
  search: "Name enthält",
  none: "Noch keine Bilder",
  noneWords: "Lade eines hoch und wähle es dann beim Schreiben einer E-Mail aus.",
  noMatches: "Kein Bild hat das in seinem Namen.",
  usedIn: "Zu sehen in",
  unused: "Keine Vorlage und keine Aussendung zeigt es.",
  kinds: { template: "Vorlage", draft: "Entwurf", broadcast: "Aussendung" },
  name: "Name",
  alt: "Beschreibung",
  altHint: "Für alle, die es nicht sehen können. Lass sie bei einem Schmuckbild leer.",
  save: "Speichern",
  saved: "Das Bild wurde gespeichert.",
  copyUrl: "URL kopieren",
  deleteImage: "Bild löschen",
  deleteNamed: (name: string) => `${name} löschen?`,
  deleteWords:
    "Es verschwindet sofort aus der Bibliothek. E-Mails zeigen es noch ein Jahr lang, wenn dieser Dienst keine andere Zeit vorgibt; danach bleibt sein Platz leer.",
  deleted: (name: string) => `${name} wurde gelöscht.`,
  insert: "Einfügen",
  otherImage: "Anderes Bild wählen",
  byUrl: "Bild unter einer anderen Adresse",
  chooseImage: "Bild wählen",
};
