import type { SourceWordings } from "./wording.ts";

/** Replies of large mailbox providers, from their postmaster pages and their servers. */
export const PROVIDERS: readonly SourceWordings[] = [
  {
    source: "Gmail",
    wordings: {
      user_unknown: `
        the email account that you tried to reach does not exist | no such user - gsmtp`,
      mailbox_disabled: `
        the email account that you tried to reach is disabled |
        the email account that you tried to reach is inactive |
        the user you are trying to contact has been suspended`,
      mailbox_full: `
        the email account that you tried to reach is over quota |
        the recipient's inbox is out of storage space | overquotaperm | overquotatemp`,
      rate_limited: `
        the user you are trying to contact is receiving mail | receivingrateperm |
        the recipient * is receiving mail at a rate | unusual rate of unsolicited mail |
        unusual rate of email originating | daily user sending quota exceeded |
        daily sending quota exceeded | peak smtp relay limit exceeded | exceeded the rate at which`,
      blocked: `
        likely unsolicited mail | very low reputation of the sending |
        the ip you're using to send mail is not authorized | ip not in whitelist for rcpt domain |
        ip address * registered in the gsuite admin | suspicious due to the very low reputation`,
      authentication: `
        this mail is unauthenticated, which poses a security risk |
        this mail has been blocked because the sender is unauthenticated |
        unauthenticated email from |
        does not have authentication information or fails to pass authentication |
        dmarc policy. please contact the administrator |
        does not meet * guidelines regarding ptr records | does not have a ptr record |
        ptr record * does not match |
        requires all senders to authenticate with either spf or dkim |
        does not meet ipv6 sending guidelines | hasn't been authenticated`,
      content: `
        this message was blocked because its content presents a potential security issue |
        our system has detected that this message is not rfc 5322 compliant |
        messages missing a valid * header are not accepted | this message is likely suspicious |
        message failed rfc`,
      policy: `
        email policy. - gcdp | violates * email policy |
        the group you tried to contact * may not exist |
        may not exist, or you may not have permission to post |
        n'existe pas ou que vous ne soyez pas autorisé | permission to post messages to the group |
        does not accept messages from non-members | domain policy size per transaction exceeded |
        the account * is not allowed to receive mail from outside | requires tls`,
      too_large: "your message exceeded * message size limits",
    },
  },
  {
    source: "Outlook.com and Exchange Online",
    wordings: {
      user_unknown: `
        resolver.adr.recipnotfound | resolver.adr.recipientnotfound |
        resolver.adr.exrecipnotfound | recipient not found by smtp address lookup |
        recipient address rejected: access denied |
        requested action not taken: mailbox unavailable |
        the email address you entered couldn't be found | wasn't found at | wasn't found in the |
        recipnotfound`,
      host_unknown: `
        dns domain * does not exist | domain does not exist * dns | invaliddomain |
        because the domain is not reachable`,
      mailbox_disabled: `
        account disabled. | storedrv.deliver; mailbox disabled | recipient mailbox is disabled |
        mailbox disabled`,
      mailbox_full: `
        quotaexceeded* | storedrv.deliver.exception:quotaexceeded |
        the recipient's mailbox is full | mapiexceptionshutoffquotaexceeded`,
      sender_rejected: `
        sendasdenied* | mapiexceptionsendasdenied | senderaddressinvalid |
        access denied, banned sender | sender is not authenticated for mailbox |
        not allowed to send as this sender | bad outbound sender`,
      blocked: `
        part of their network is on our block list | messages from * weren't sent |
        banned sending ip | traffic not accepted from this ip |
        email from ip addresses * is not accepted | blocked using fblw15 |
        blocked using customer block list | sent an unusual volume | (s3140) | (s3150) | (s3115) |
        unusual sending activity | tenant has exceeded threshold |
        mail rejected by * for policy reasons | (dy-001) | (sc-001) | (sc-004) | (ou-001) |
        (ou-002) | (rp-001) | (rp-002)`,
      authentication: `
        does not pass dmarc verification | does not meet the required authentication level |
        must pass dmarc | authentication unsuccessful | client was not authenticated |
        cross-site forgery`,
      policy: `
        resolver.rst.notauthorized | resolver.rst.authrequired |
        resolver.rst.authrequired; authentication required |
        resolver.rst.sendernotauthenticatedforgroup; authentication required |
        resolver.rst.sendernotinallowedsenderslist | resolver.rst.sendernotauthenticatedforgroup |
        sendernotauthenticatedformailbox | recipientsrestricted | restricted by a rule |
        transport.rules.rejectmessage | tenantattribution | delivery not authorized |
        sender not authorized | not permitted to send to this recipient | rule imposed mailbox access |
        only accepts messages from people | admin-defined rule`,
      rate_limited: `
        has exceeded the limit for the number of messages |
        submission rate for this client has exceeded | the server is busy. please try again later |
        exceeded the rate limit | resolver.rst.recipientratelimit | recipientratelimit |
        exceeded their limit for the number of messages`,
      too_large: "resolver.rst.recipsizelimit | resolver.rst.sendsizelimit | recipsizelimit",
      system: `
        storedrv.deliver; unknown | storedrv.deliver.exception |
        hop count exceeded - possible mail loop | routing loop detected | resolver.fwd.loop |
        agentgeneratedmessage | recipthreadlimit | forwardingloop`,
      relaying_denied: "relay access denied | smtp; 550 5.7.64",
      expired: "message expired, * in queue | queue.expired",
    },
  },
  {
    source: "Yahoo and AOL",
    wordings: {
      user_unknown: `
        this user doesn't have a * account |
        dd sorry, your message to * cannot be delivered. this mailbox is disabled |
        delivery error: dd this user | no such user here`,
      mailbox_disabled: `
        this mailbox is disabled | this account has been disabled or discontinued |
        this account is not allowed | account is currently suspended |
        this account has been temporarily suspended | mailbox is inactive`,
      mailbox_full: "is over quota | dd user is over quota",
      rate_limited: `
        temporarily deferred due to | permanently deferred; retrying |
        all messages from * will be permanently deferred | max message per connection reached |
        mail quota exceeded for | resources temporarily unavailable | user complaints`,
      blocked: `
        [bl21] | [bl22] | [bl23] | connections will not be accepted from |
        connections not accepted from servers without | not accepted for policy reasons |
        invalid ip for sending mail of domain | dnsbl:rbl | will not accept delivery of this message | ivmsip | dnsbl:att | (dns:nr) | (dns:b1) |
        (dynb) | (rly:bl) | (rly:b1) | (rtr:bb) | (rtr:bl) | (rtr:du) | (hvu:b1) | (hvu:b2) | (con:b1)`,
      authentication: `
        not accepted due to domain owner's policy | message not allowed - [ph01] |
        failed checks to see if it came from | (ipr)`,
      content: "message not accepted for policy reasons | (hvu:ps) | message content not accepted",
      sender_rejected: `
        mail from * sender domain does not exist | can't resolve your domain |
        invalid sending domain`,
    },
  },
  {
    source: "Apple iCloud",
    wordings: {
      user_unknown: "unknown or illegal alias | user does not exist | inactive email address",
      mailbox_full: "user is overquota",
      policy: "message rejected due to local policy | rejected due to policy",
      blocked: `
        mail from ip * was rejected due to listing | having a domain present in the spamhaus |
        [hm07] | [hm08] | [cs01]`,
      authentication: "was rejected due to * dmarc policy | rejected due to * dmarc",
      rate_limited: "deferred due to excessive volume",
    },
  },
  {
    source: "Comcast, Cox, Charter, AT&T and Verizon",
    wordings: {
      user_unknown: `
        addressee unknown | invalid address. * e21 | recipient rejected - cxsmx |
        account not available | not our customer | blank mailhost`,
      mailbox_disabled: `
        service not available for this mailbox | this subscriber * no longer | account disabled`,
      mailbox_full: "mailbox exceeds allowed size | recipient mailbox over quota",
      blocked: `
        bl000000 | bl000001 | bl000010 | blocked by * rbl | blocked for spam | (dynablock) |
        [es000001] | [es000010] | blocked for abuse | alice-mx rejected | senderbase reputation |
        ip address is blocked | cloudmark | cxsmxr | cxblq`,
      rate_limited: "rl000001 | rl000002 | rl000003 | too many sessions opened",
      sender_rejected: "does not exist, e21* | does not exist - e21* | does not exist e21*",
      authentication: "ph000001 | fix reverse dns | reverse dns failure",
    },
  },
  {
    source: "Zoho, Rackspace, Fastmail and Proton",
    wordings: {
      user_unknown: "relaying issues/ mailbox does not exist | address does not exist",
      policy: `
        mailbox delivery restricted by policy | mailbox delivery failure policy error |
        mail rejected by destination domain | email policy violation detected`,
      rate_limited: "unusual sending activity detected",
    },
  },
];
