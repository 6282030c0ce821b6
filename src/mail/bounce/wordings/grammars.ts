import type { Grammar } from "./wording.ts";

/** Reasons that servers give as a subject and a phrase. */
export const GRAMMARS: readonly Grammar[] = [
  // A missing mailbox: "account lena does not exist".
  {
    source: "many servers",
    reason: "user_unknown",
    subjects: `
      user | userid | user id | username | recipient | receiver | mailbox | mail box | address |
      account | addressee | member | subscriber | customer | person | alias | destination | name |
      id | email | e-mail | maildrop | local part | local-part | group | mailing list`,
    phrases: `
      unknown | not found | not known | not listed | not exist | not recognized | not recognised |
      not valid | not defined | not registered | not local | not here | not available | not on file |
      not in the directory | not in our | not in address | does not exist | does not match |
      does not have | doesn't exist | doesn't match | do not exist | did not exist | don't exist |
      nonexistent | non-existent | invalid | incorrect | unavailable | cannot be found |
      can't be found | could not be found | couldn't be found | was not found | wasn't found |
      is no longer valid | no longer exists | no longer valid | is not a valid | is not valid |
      is not known | is not listed | is not here | isn't | has moved | has been deleted |
      has been removed | deleted | removed | is wrong`,
  },
  // A disabled mailbox.
  {
    source: "many servers",
    reason: "mailbox_disabled",
    subjects: `
      user | recipient | mailbox | address | account | email | customer | subscriber`,
    phrases: `
      disabled | deactivated | suspended | inactive | not active | isn't active | closed |
      terminated | discontinued | locked | blocked from receiving | no longer active |
      no longer available | no longer accepts | no longer accepting | no longer in use |
      no longer in service | no longer monitored | cannot accept | cannot receive |
      not accept messages | not accepting mail | not accepting messages | not accepting email |
      not allowed to receive`,
  },
  // A rejected sender.
  {
    source: "many servers",
    reason: "sender_rejected",
    subjects: `
      sender | from address | return address | mail from | return path | return-path`,
    phrases: `
      rejected | denied | refused | unknown | invalid | blocked | not found | not valid |
      not allowed | not authorized | not authorised | not permitted | not accepted | not exist |
      not verified | not resolve | no mx | verify failed | does not exist | doesn't exist |
      unverifiable | undeliverable | non-existent | nonexistent | could not be verified |
      cannot be verified | has no | unresolvable | must exist | must resolve`,
  },
  // A rejected sender in other languages: "Absender nicht erlaubt".
  {
    source: "systems in other languages",
    reason: "sender_rejected",
    subjects: `
      absender | absenderadresse | absenderdomain | expéditeur | expediteur |
      adresse de l'expéditeur | remitente | remetente | mittente | nadawca | nadawcy | afzender |
      avsändare | avsändaren | avsender | afsender | отправитель | отправителя | gönderen |
      发件人 | 发件人域名 | 送信者 | 送信元`,
    phrases: `
      nicht erlaubt | nicht erlaubte | abgelehnt | abgewiesen | unbekannt | ungültig | gesperrt |
      verweigert | nicht gefunden | existiert nicht | refusé | refusée | rejeté | rejetée | inconnu |
      inconnue | invalide | non autorisé | n'existe pas | interdit | rechazado | rechazada |
      desconocido | no autorizado | no existe | no válido | bloqueado | rejeitado | recusado |
      não autorizado | não existe | desconhecido | rifiutato | rifiutata | sconosciuto |
      non autorizzato | non valido | non esiste | odrzucony | odrzucona | nieznany | nie istnieje |
      geweigerd | onbekend | bestaat niet | avvisad | avvist | afvist | okänd | отклонен | отклонён |
      отклонена | не существует | не найден | запрещен | запрещён | reddedildi | bulunamadı |
      被拒绝 | 不存在 | 拒绝 | 被禁止 | 拒否`,
  },
];

/** Subjects and phrases for a connection that broke, so that no server answered. */
export const BROKEN_CONNECTION: Grammar = {
  source: "many servers",
  reason: "network",
  subjects: `
    connection | session | socket | conversation | remote host | remote server | lost | closed |
    dropped | broken | unexpected | premature`,
  phrases: `
    lost | reset | broke | broken | died | dropped | closed | aborted | terminated | interrupted |
    timed out | timeout | refused | disconnected | connection | pipe | eof | end of connection`,
};
