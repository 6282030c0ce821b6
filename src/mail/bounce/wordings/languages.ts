import type { SourceWordings } from "./wording.ts";

/** Replies and reports in languages other than English. */
export const LANGUAGES: readonly SourceWordings[] = [
  {
    source: "German systems",
    wordings: {
      user_unknown: `
        unbekannter empfänger | unbekannter empfaenger | empfänger unbekannt |
        empfaenger unbekannt | adressat unbekannt | unbekannte adresse | adresse unbekannt |
        unbekannter benutzer | benutzer unbekannt | benutzer nicht bekannt | ist nicht bekannt |
        ist hier nicht bekannt | existiert nicht | nicht gefunden | kein solcher |
        ungültige adresse | ungültiger empfänger | postfach nicht vorhanden |
        nicht mehr im unternehmen`,
      mailbox_full: `
        postfach ist voll | postfach voll | speicherplatz | speichervolumen | zuviele mails |
        zu viele mails auf dem server | postfach * überschritten | postfach überfüllt`,
      mailbox_disabled: "konto * deaktiviert | postfach * deaktiviert | postfach * gesperrt",
      content: "unerwünschte",
      policy: "zugriff verweigert | annahme verweigert",
      rate_limited: "zu viele verbindungen | zu viele nachrichten",
    },
  },
  {
    source: "French systems",
    wordings: {
      user_unknown: `
        n'existe pas | introuvable | inconnue | inconnu | adresse invalide | destinataire invalide`,
      mailbox_full: `
        boîte pleine | boite pleine | boîte aux lettres * pleine | boite aux lettres * pleine`,
      mailbox_disabled: "boîte désactivée | compte désactivé | boite * fermée",
      policy: "accès refusé | acces refuse | accès interdit",
      content: "message indésirable",
      rate_limited: "trop de messages",
    },
  },
  {
    source: "Spanish, Portuguese and Italian systems",
    wordings: {
      user_unknown: `
        desconocido | desconocida | no existe | não existe | nao existe | inexistente |
        desconhecido | sconosciuto | non esiste | inesistente | no se encontró |
        no se ha encontrado | não encontrado | nao encontrado | não encontrada |
        destinatario errato | usuario no encontrado | non trovato | indirizzo errato`,
      mailbox_full: `
        buzón lleno | buzon lleno | buzón está lleno | caixa postal cheia | casella piena |
        caixa de entrada cheia | cuota excedida`,
      mailbox_disabled: `
        casilla * expirado | buzón deshabilitado | cuenta deshabilitada | cuenta suspendida |
        estado: inactivo | usuario inactivo | conta desativada | caixa postal desativada |
        conta suspensa | bloccato per inutilizzo | casella disattivata | casella disabilitata |
        utente disabilitato | mailbox disattivata`,
      policy: "acceso denegado | acesso negado | accesso negato",
      content: "correo no deseado | posta indesiderata | mensagem indesejada",
    },
  },
  {
    source: "Russian and Polish systems",
    wordings: {
      user_unknown: `
        нет такого пользователя | пользователь не найден | не существует | адресат не найден |
        получатель не найден | nie istnieje | nieznany użytkownik | nie ma takiego konta |
        nieznany adres | nie znaleziono`,
      mailbox_disabled: `
        ящик заблокирован | ящик отключен | учетная запись заблокирована |
        zablokowane administracyjnie | konto jest zablokowane | konto nieaktywne`,
      mailbox_full: "ящик переполнен | ящик полон | skrzynka jest pełna | przepełniona",
      content: "спам | antyspamow*",
      policy: "доступ запрещен | доступ запрещён | odmowa dostępu | brak dostępu",
    },
  },
  {
    source: "Dutch, Scandinavian and Turkish systems",
    wordings: {
      user_unknown: `
        onbekende gebruiker | onbekende ontvanger | gebruiker onbekend | bestaat niet |
        niet gevonden | okänd mottagare | finns inte | hittades inte | findes ikke | finnes ikke |
        ukendt modtager | ukjent mottaker | kullanıcı bulunamadı | böyle bir kullanıcı yok`,
      mailbox_full: "postvak is vol | brevlådan är full | posta kutusu dolu",
      policy: "toegang geweigerd | åtkomst nekad | erişim engellendi",
    },
  },
  {
    source: "Chinese, Japanese and Korean systems",
    wordings: {
      user_unknown: `
        收件人不存在 | 无此用户 | 没有此用户 | 無此使用者 | 使用者不存在 | 존재하지 않는 |
        사용자를 찾을 수 없`,
      mailbox_full: "信箱已满 | 信箱已滿 | 空间已满 | 메일함이 가득",
      mailbox_disabled: "帐号已停用 | 账号已停用 | 邮箱已停用 | 邮箱已冻结 | 用户已被锁定",
      content: "垃圾邮件 | 垃圾郵件 | 迷惑メール | スパム | 스팸",
      policy: "拒绝访问 | 拒絕存取 | 被收件人拒收 | アクセスが拒否",
      rate_limited: "发送频率 | 频率限制 | 发信过快",
    },
  },
];
