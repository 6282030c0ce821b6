import type { SourceWordings } from "./wording.ts";

/** Replies and reports in other languages than English. */
export const LANGUAGES: readonly SourceWordings[] = [
  {
    source: "German systems",
    wordings: {
      user_unknown: `
        unbekannter empfänger | empfänger unbekannt | empfaenger unbekannt | unbekannte adresse |
        adresse unbekannt | unbekannter benutzer | benutzer unbekannt | ist nicht bekannt |
        ist hier nicht bekannt | existiert nicht | nicht gefunden | wurde nicht gefunden |
        kein solcher | ungültige adresse | ungültiger empfänger`,
      mailbox_full: "postfach ist voll | postfach voll | speicherplatz | postfach * überschritten",
      mailbox_disabled: "konto * deaktiviert | postfach * deaktiviert | postfach * gesperrt",
      content: "als spam eingestuft | unerwünschte",
    },
  },
  {
    source: "French systems",
    wordings: {
      user_unknown: `
        utilisateur inconnu | destinataire inconnu | adresse inconnue | n'existe pas |
        introuvable | inconnue | inconnu | adresse invalide | destinataire invalide`,
      mailbox_full: `
        boîte pleine | boite pleine | boîte aux lettres * pleine | boite aux lettres * pleine`,
    },
  },
  {
    source: "Spanish, Portuguese and Italian systems",
    wordings: {
      user_unknown: `
        usuario desconocido | desconocido | desconocida | no existe | não existe | nao existe |
        inexistente | usuário desconhecido | destinatário desconhecido | desconhecido |
        destinatario sconosciuto | utente sconosciuto | sconosciuto | non esiste | inesistente |
        no se encontró | no se ha encontrado`,
      mailbox_full: `
        buzón lleno | buzon lleno | buzón está lleno | caixa postal cheia | casella piena`,
    },
  },
  {
    source: "Russian and Polish systems",
    wordings: {
      user_unknown: `
        нет такого пользователя | пользователь не найден | адрес не существует |
        ящик не существует | не существует | nie istnieje | nieznany użytkownik`,
      mailbox_full: "ящик переполнен | skrzynka jest pełna | przepełniona",
    },
  },
  {
    source: "Dutch and Scandinavian systems",
    wordings: {
      user_unknown: `
        onbekende gebruiker | bestaat niet | okänd mottagare | finns inte | findes ikke`,
    },
  },
];
