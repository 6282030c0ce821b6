import type { SourceWordings } from "./wording.ts";

/** Replies of mailbox providers, from their postmaster pages and their servers. */
export const PROVIDERS: readonly SourceWordings[] = [
  {
    source: "Gmail",
    wordings: {
      user_unknown: "the email account that you tried to reach does not exist",
      mailbox_disabled: `
        the email account that you tried to reach is disabled |
        the email account that you tried to reach is inactive |
        the user you are trying to contact has been suspended`,
      mailbox_full: "overquotaperm | overquotatemp",
      rate_limited: `
        the user you are trying to contact is receiving mail | receivingrateperm |
        the recipient * is receiving mail at a rate | unusual rate of unsolicited mail |
        unusual rate of email originating | peak smtp relay limit exceeded |
        exceeded the rate at which`,
      blocked: `
        likely unsolicited mail | the ip you're using to send mail is not authorized |
        ip address * registered in the gsuite admin`,
      authentication: `
        does not meet * guidelines regarding ptr records | does not meet ipv6 sending guidelines |
        hasn't been authenticated`,
      content: `
        this message was blocked because its content presents a potential security issue |
        messages missing a valid * header are not accepted | this message is likely suspicious |
        message failed rfc`,
      policy: `
        the group you tried to contact * may not exist |
        may not exist, or you may not have permission to post |
        n'existe pas ou que vous ne soyez pas autorisé | permission to post messages to the group |
        does not accept messages from non-members |
        the account * is not allowed to receive mail from outside | requires tls`,
    },
  },
  {
    source: "Outlook.com and Exchange Online",
    wordings: {
      user_unknown: `
        resolver.adr.recipientnotfound | resolver.adr.exrecipnotfound |
        recipient address rejected: access denied |
        the email address you entered couldn't be found | wasn't found at | wasn't found in the |
        recipnotfound`,
      host_unknown: "invaliddomain",
      mailbox_disabled: "recipient mailbox is disabled",
      mailbox_full: "quotaexceeded* | mapiexceptionshutoffquotaexceeded",
      sender_rejected: `
        sendasdenied* | mapiexceptionsendasdenied | senderaddressinvalid |
        access denied, banned sender | sender is not authenticated for mailbox |
        not allowed to send as this sender | bad outbound sender`,
      blocked: `
        messages from * weren't sent | traffic not accepted from this ip |
        email from ip addresses * is not accepted | sent an unusual volume | (s3140) | (s3150) |
        (s3115) | unusual sending activity | tenant has exceeded threshold |
        mail rejected by * for policy reasons | (dy-001) | (sc-001) | (sc-004) | (ou-001) |
        (ou-002) | (rp-001) | (rp-002)`,
      authentication: `
        does not meet the required authentication level | authentication unsuccessful |
        client was not authenticated`,
      policy: `
        resolver.rst.notauthorized | resolver.rst.authrequired |
        resolver.rst.authrequired; authentication required |
        resolver.rst.sendernotauthenticatedforgroup; authentication required |
        resolver.rst.sendernotinallowedsenderslist | resolver.rst.sendernotauthenticatedforgroup |
        sendernotauthenticatedformailbox | recipientsrestricted | restricted by a rule |
        transport.rules.rejectmessage | tenantattribution | sender not authorized |
        not permitted to send to this recipient | rule imposed mailbox access | admin-defined rule`,
      rate_limited: `
        has exceeded the limit for the number of messages |
        submission rate for this client has exceeded | the server is busy. please try again later |
        recipientratelimit | exceeded their limit for the number of messages`,
      too_large: "resolver.rst.sendsizelimit | recipsizelimit",
      system: `
        storedrv.deliver; unknown | storedrv.deliver.exception |
        hop count exceeded - possible mail loop | resolver.fwd.loop | agentgeneratedmessage |
        recipthreadlimit | forwardingloop`,
      relaying_denied: "smtp; 550 5.7.64",
      expired: "queue.expired",
    },
  },
  {
    source: "Yahoo and AOL",
    wordings: {
      user_unknown: `
        this user doesn't have a * account |
        dd sorry, your message to * cannot be delivered. this mailbox is disabled |
        delivery error: dd this user`,
      mailbox_disabled: `
        this mailbox is disabled | this account has been disabled or discontinued |
        this account is not allowed | this account has been temporarily suspended |
        mailbox is inactive`,
      rate_limited: `
        temporarily deferred due to | permanently deferred; retrying |
        all messages from * will be permanently deferred | max message per connection reached |
        mail quota exceeded for | resources temporarily unavailable | user complaints`,
      blocked: `
        [bl21] | [bl22] | [bl23] | connections will not be accepted from |
        connections not accepted from servers without | not accepted for policy reasons |
        will not accept delivery of this message | ivmsip | (dns:nr) | (dns:b1) | (dynb) |
        (rly:bl) | (rly:b1) | (rtr:bb) | (rtr:bl) | (rtr:du) | (hvu:b1) | (hvu:b2) | (con:b1)`,
      authentication: `
        not accepted due to domain owner's policy | message not allowed - [ph01] |
        failed checks to see if it came from | (ipr)`,
      content: "message not accepted for policy reasons | (hvu:ps)",
      sender_rejected: "can't resolve your domain | invalid sending domain",
    },
  },
  {
    source: "Apple iCloud",
    wordings: {
      user_unknown: "inactive email address",
      blocked: "mail from ip * was rejected due to listing | [hm07] | [hm08] | [cs01]",
    },
  },
  {
    source: "Comcast, Cox, Charter, AT&T and Verizon",
    wordings: {
      user_unknown: `
        addressee unknown | recipient rejected - cxsmx | account not available | blank mailhost`,
      mailbox_disabled: "service not available for this mailbox | this subscriber * no longer",
      blocked: `
        bl000000 | bl000001 | bl000010 | (dynablock) | [es000001] | [es000010] | alice-mx rejected |
        ip address is blocked | cloudmark | cxsmxr | cxblq`,
      rate_limited: "rl000001 | rl000002 | rl000003",
      sender_rejected: "does not exist, e21* | does not exist - e21* | does not exist e21*",
      authentication: "ph000001",
    },
  },
  {
    source: "Zoho, Rackspace, Fastmail and Proton",
    wordings: {
      user_unknown: "address does not exist",
      policy: "mail rejected by destination domain",
      rate_limited: "unusual sending activity detected",
    },
  },
  {
    source: "GMX, web.de, mail.com and IONOS",
    wordings: {
      user_unknown: "mailbox is unavailable. * user",
      blocked: `
        no smtp service | bad dns ptr resource record | invalid dns mx |
        transaction failed * ip address | nemesis esmtp service not available`,
      policy: "explicitly block messages from your",
      content: "a problem occurred. * the email contains",
    },
  },
  {
    source: "Yandex",
    wordings: {
      mailbox_full: "mailbox size limit exceeded",
    },
  },
  {
    source: "Mail.ru",
    wordings: {
      user_unknown: "local mailbox * is unavailable | non-local recipient verification failed",
      mailbox_disabled: "account is disabled",
      blocked: "we do not accept mail from hosts | access denied. ip name lookup failed",
      policy: "can not be delivered to * user setting",
    },
  },
  {
    source: "QQ, 163, 126 and other Chinese providers",
    wordings: {
      user_unknown: `
        unavailable mail user | not user of this server | local server don't exists that user |
        用户不存在 | 邮箱不存在 | 帐号不存在 | 账号不存在 | 地址不存在 | 该用户未开通`,
      mailbox_disabled: "user suspended | user locked | 该邮箱已被停用",
      mailbox_full: "邮箱已满 | 收件人空间不足 | 收件箱已满 | mailbox space not enough",
      rate_limited: "mi:cel | mi:dmc | mi:ccl | rp:cel | rp:qrc | rp:trc | fl:exc",
      blocked: `
        hl:ipb | hl:iff | hl:rep | hl:itd | hl:ifc | dt:spm | mi:spb | mi:ssb |
        suspected bounce attacks | suspected spam ip | suspected spam sender`,
      content: "dt:suc | hl:mep | content reject",
      policy: "mail is rejected by recipients | rejected by recipient's",
      authentication: "mi:nhd",
      sender_rejected: "invalid user: * from | mi:idn",
    },
  },
  {
    source: "Orange, Free, SFR and Laposte",
    wordings: {
      user_unknown: "lpn007_416 | ofr204_416 | ofr_416",
      mailbox_disabled: "boite du destinataire archivee | archived recipient | ofr_417",
      blocked: "ofr_506 | ofr004_103 | ofr006_103 | mail rejete | mail rejected. ofr | ofr_403",
      rate_limited: "ofr004_104 | ofr004_105 | ofr_109 | trop de connexions | service refuse",
      content: "ofr_999 | ofr005_100",
    },
  },
  {
    source: "Docomo, au, SoftBank and other Japanese providers",
    wordings: {
      user_unknown: `
        宛先不明 | あて先不明 | 存在しません | 見つかりません | ユーザーが不明 |
        ユーザーがいません | ユーザーはいません | リストにありません`,
      mailbox_full: "容量を超え | 容量がいっぱい | メールボックスがいっぱい",
      policy: "the user(s) account is disabled | 受信拒否",
      too_large: "サイズの制限 | サイズ制限",
    },
  },
];
