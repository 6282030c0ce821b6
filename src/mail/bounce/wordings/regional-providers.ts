import type { SourceWordings } from "./wording.ts";

/** Replies of providers that serve one country or language, from their help pages and servers. */
export const REGIONAL_PROVIDERS: readonly SourceWordings[] = [
  {
    source: "GMX, web.de, mail.com and IONOS",
    wordings: {
      user_unknown: "mailbox is unavailable. * user | no such user here (gmx)",
      blocked: `
        no smtp service | bad dns ptr resource record | invalid dns mx | ip address is black listed |
        ip address is block listed | transaction failed * ip address |
        nemesis esmtp service not available`,
      policy: `
        reject due to policy restrictions | reject due to policy violations |
        reject due to policy reasons | explicitly block messages from your`,
      authentication: "reject due to spf policy | reject due to dmarc policy",
      rate_limited: "rate limit reached | mail from * too many recipients",
      too_large: "message size exceeds limits | message exceeds maximum size",
      content: "a problem occurred. * the email contains",
    },
  },
  {
    source: "Yandex",
    wordings: {
      user_unknown: "no such user! | bad recipient address syntax | invalid mailbox",
      mailbox_full: "mailbox size limit exceeded | disk quota exceeded | account is full",
      content: `
        message rejected under suspicion of spam | message looks like spam to me |
        message infected by virus`,
      policy: "policy rejection on the target address | policy rejection",
      blocked: "blocked by spam statistics | client host is blocked",
      rate_limited: "the recipient has exceeded their message rate limit | too many messages",
      sender_rejected: "sender address rejected: not owned by",
    },
  },
  {
    source: "Mail.ru",
    wordings: {
      user_unknown: `
        message was not accepted -- invalid mailbox | local mailbox * is unavailable |
        non-local recipient verification failed | no such message * user not found`,
      mailbox_disabled: "account is disabled | access to this account is disabled",
      content: "spam message rejected | spam message discarded",
      rate_limited: "ratelimit exceeded | try again later * ratelimit",
      blocked: "we do not accept mail from hosts | access denied. ip name lookup failed",
      authentication: "dmarc validation failed | dmarc: rejected by policy",
      policy: "message is not accepted for policy | can not be delivered to * user setting",
    },
  },
  {
    source: "QQ, 163, 126 and other Chinese providers",
    wordings: {
      user_unknown: `
        mailbox not found | user not found:  |
        user not exist | no such user: mx | unavailable mail user | not user of this server |
        local server don't exists that user | 该用户不存在 | 用户不存在 | 邮箱不存在 | 帐号不存在 | 账号不存在 | 地址不存在 |
        收件人不存在 | 该用户未开通`,
      mailbox_disabled: "user suspended | user locked | user disabled | 该邮箱已被停用",
      mailbox_full: "邮箱已满 | 收件人空间不足 | 收件箱已满 | mailbox space not enough",
      rate_limited: `
        frequency limited | mi:cel | mi:dmc | mi:ccl | rp:cel | rp:qrc | rp:trc | fl:exc |
        domain frequency`,
      blocked: `
        hl:ipb | hl:iff | hl:rep | hl:itd | hl:ifc | dt:spm | mi:spb | mi:ssb |
        suspected bounce attacks | suspected spam ip | suspected spam sender`,
      content: "mail content denied | content rejected | dt:suc | hl:mep | content reject",
      policy: "mail is rejected by recipients | rejected by recipient's",
      authentication: "dmarc check failed | mi:spf | spf check failed | mi:nhd",
      sender_rejected: "invalid user: * from | mi:idn | sender domain not found",
    },
  },
  {
    source: "Orange, Free, SFR and Laposte",
    wordings: {
      user_unknown: `
        adresse d au moins un destinataire invalide | adresse d'au moins un destinataire invalide |
        invalid recipient. ofr | adresse destinataire invalide | lpn007_416 | ofr204_416 | ofr_416`,
      mailbox_disabled: "boite du destinataire archivee | archived recipient | ofr_417",
      blocked: "ofr_506 | ofr004_103 | ofr006_103 | mail rejete | mail rejected. ofr | ofr_403",
      rate_limited: "ofr004_104 | ofr004_105 | ofr_109 | trop de connexions | service refuse",
      content: "spam detecte | spam detected | ofr_999 | ofr005_100",
    },
  },
  {
    source: "Docomo, au, SoftBank and other Japanese providers",
    wordings: {
      user_unknown: `
        unknown user | no valid recipients | 宛先不明 | あて先不明 | 存在しません | 見つかりません | 宛先が見つかりません |
        ユーザーが不明 | ユーザーがいません | ユーザーはいません | リストにありません`,
      mailbox_full: "容量を超え | 容量がいっぱい | メールボックスがいっぱい",
      policy: "the user(s) account is disabled | 受信拒否",
      too_large: "サイズの制限 | サイズ制限",
    },
  },
];
