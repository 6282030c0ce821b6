import type { SourceWordings } from "./wording.ts";

/** Replies and reports of mail servers, filters and blocklists, from their documentation and source. */
export const SERVERS: readonly SourceWordings[] = [
  {
    source: "RFC 5321, RFC 3463, RFC 5248, RFC 7372, RFC 7504 and RFC 7505",
    wordings: {
      user_unknown: `
        requested action not taken: mailbox unavailable | mailbox name not allowed |
        user not local; please try | destination mailbox address ambiguous |
        mailbox owner has changed | domain owner has changed`,
      host_unknown: "bad destination system address",
      no_mx: `
        does not accept email | no longer accepts mail | accepts no mail |
        system not accepting network messages`,
      sender_rejected: "sender address has null mx",
      authentication: "multiple authentication checks failed",
      system: "insufficient system storage | command rejected",
    },
  },
  {
    source: "Postfix",
    wordings: {
      user_unknown: "recipient address rejected: undeliverable address",
      host_unknown: "malformed dns server reply",
      no_mx: "recipient address rejected: malformed dns",
      sender_rejected: "sender address rejected",
      authentication: "client host rejected: * hostname",
      blocked: "service unavailable; sender address | service unavailable; helo",
      greylisted: "recipient address rejected: try again later | unverified address:",
      relaying_denied: "relay access denied",
      rate_limited: "too much mail from | recipient address rejected: policy rejection: quota",
      system: `
        mail forwarding loop for | mail transport unavailable | unknown mail transport error |
        command died with | command time limit exceeded | queue file write error |
        maildir delivery failed | mail appears to be looping`,
      network: "host not found, try again | name service error * try again",
      content: "milter-reject",
      mailbox_full: "cannot update mailbox * file too big | mailbox size limit",
    },
  },
  {
    source: "Exim",
    wordings: {
      host_unknown: `
        all host address lookups failed permanently |
        the account or domain may not exist, they may be blacklisted, or missing the proper dns entries`,
      network: `
        have been failing for a long time | host lookup did not complete |
        lowest numbered mx record points to local host | couldn't find any host`,
      expired: "retry time not reached for any host | message has been frozen",
      sender_rejected: "sender verify failed | verification failed for | sender callback",
      system: `
        routing failed * too many * received headers | too many "received" headers |
        local delivery failed | pipe command | child process of`,
      policy: "administrative prohibition | rejected because",
      mailbox_full: "error while writing message",
    },
  },
  {
    source: "Sendmail",
    wordings: {
      user_unknown: "user address required",
      network: "deferred:",
      system: "mx list for * points back to | unbalanced | user open error",
      mailbox_full: "out of disk",
      authentication: "ip name lookup failed",
      rate_limited: "too many open connections",
      policy: "access denied",
    },
  },
  {
    source: "qmail, vpopmail, Courier and netqmail",
    wordings: {
      user_unknown: `
        this address no longer accepts mail | does not like recipient | user does not exist |
        account * does not exist here | user not listed here | sorry, i can't find this user |
        badrcptto`,
      host_unknown: "couldn't find any host named | couldn't find a host",
      no_mx: "couldn't find a mail exchanger or ip address",
      network: `
        wasn't able to establish an smtp connection | although i'm listed as a best-preference mx`,
      sender_rejected: "does not like sender | badmailfrom",
      mailbox_full: "mailfolder is full",
      relaying_denied: "isn't in my list of allowed rcpthosts | not in my list of allowed",
      system: "this message is looping | qq trouble",
    },
  },
  {
    source: "Exchange Server, IMail, MDaemon, Domino, GroupWise and Notes",
    wordings: {
      user_unknown: `
        the e-mail account does not exist at the organization |
        the recipient's e-mail address was not found | not unique in domino directory |
        no route found to domain | does not match any * in the address book | no user by that name |
        mailbox does not exist | mapiexceptionmailboxdisabled`,
      mailbox_full: "the recipient has exceeded | insufficient mailbox storage",
      policy: "not configured to accept mail from | the recipient's mail system * does not accept",
      system: `
        a loop has been detected | maximum hop count exceeded |
        there was a smtp communication problem with the recipient's email server`,
      network: "unable to bind to the destination server | hop count",
    },
  },
  {
    source: "Amazon SES, SendGrid, Mailgun, SparkPost and other senders",
    wordings: {
      user_unknown: `
        previously bounced address | address is on the suppression list |
        recipient address was suppressed | has a recent history of bouncing`,
      sender_rejected: "email address is not verified | sender email address not verified",
      content: "message contained suspicious character",
      policy: `
        not delivering to a user who marked your messages as spam | not delivering to unsubscribed`,
      expired: "unable to deliver within | no mta response within",
    },
  },
  {
    source: "Spamhaus and other blocklists",
    wordings: {
      blocked: `
        spamhaus | spamcop | barracudacentral | sorbs | surbl | uribl | dnsbl | invaluement |
        uceprotect | abuseat.org | spamrats | mailspike | manitu.net | senderscore | senderbase |
        mail-abuse.com | mail-abuse.org | njabl | psbl | abusix | spfbl | open proxy | open relay |
        rbl | sbl | xbl | pbl`,
    },
  },
  {
    source: "Proofpoint",
    wordings: {
      blocked: "ipcheck.proofpoint.com | blocked - see | 5.7.0 blocked",
      content: "message blocked due to * content",
      rate_limited: "try again later * pps",
    },
  },
  {
    source: "Mimecast",
    wordings: {
      policy: `
        rejected by header based | attachment prohibited |
        account service is temporarily unavailable | host network * not allowed | user entry |
        user domain entry`,
      authentication: "dmarc sender invalid | spf sender invalid | dkim sender invalid",
      blocked: `
        local ip address block | rejected due to security policies | sender address blocked |
        known spamming ip`,
      greylisted: "internal resource temporarily unavailable",
      content: "message bounced due to content",
      system: "recipient server unavailable or busy | maximum hops",
    },
  },
  {
    source: "Barracuda",
    wordings: {
      user_unknown: "cuda_nsu",
      blocked: "permanent failure for one or more recipients * blocked",
      content: "rejecting spoofed message",
      rate_limited: "rate controlled | rate control",
    },
  },
  {
    source: "Cisco, IronPort and OpenDNS",
    wordings: {
      user_unknown: "#5.1.0 address rejected | 5.1.0 address rejected | #5.1.1 unknown",
      blocked: "too many invalid recipients",
    },
  },
  {
    source: "Symantec, Trend Micro, Sophos, FireEye and Trellix",
    wordings: {
      content: "message filtered | vba macros | message refused by mailmarshal | surfcontrol",
      policy: "denied (mode: normal) | mail content policy",
    },
  },
  {
    source: "SpamAssassin, rspamd, MailScanner, amavis and ClamAV",
    wordings: {
      content: "ube, id= | banned filename | bad header | gtube",
      policy: "spam message rejected by policy",
    },
  },
];
