import type { SourceWordings } from "./wording.ts";

/** Replies and reports of mail servers, from their documentation and source. */
export const SERVERS: readonly SourceWordings[] = [
  {
    source: "RFC 5321, RFC 3463, RFC 5248, RFC 7372, RFC 7504 and RFC 7505",
    wordings: {
      user_unknown: `
        requested action not taken: mailbox unavailable | mailbox name not allowed |
        user not local; please try | bad destination mailbox address |
        destination mailbox address ambiguous | mailbox has moved | mailbox owner has changed |
        domain owner has changed`,
      host_unknown: "bad destination system address",
      no_mx: `
        recipient address has null mx | domain does not accept mail | does not accept mail |
        does not accept email | no longer accepts mail | accepts no mail |
        system not accepting network messages | null mx`,
      sender_rejected: `
        sender address has null mx | bad sender's mailbox address syntax |
        bad sender's system address`,
      authentication: `
        reverse dns validation failed | multiple authentication checks failed |
        no passing dkim signature found | no acceptable dkim signature found |
        no valid author-matched dkim signature found | spf validation failed | spf validation error`,
      mailbox_full: "exceeded storage allocation | insufficient storage",
      system: `
        insufficient system storage | command parameter not implemented |
        bad sequence of commands | command rejected`,
    },
  },
  {
    source: "Postfix",
    wordings: {
      user_unknown: `
        user unknown in local recipient table | user unknown in virtual mailbox table |
        user unknown in virtual alias table | user unknown in relay recipient table |
        recipient address rejected: undeliverable address |
        recipient address rejected: user unknown | unknown user:  | mail for * unknown user`,
      host_unknown: `
        name service error for name=* type=* host not found | host or domain name not found |
        recipient address rejected: domain not found | malformed dns server reply`,
      no_mx: `
        recipient address rejected: malformed dns | domain * does not accept mail (nullmx)`,
      sender_rejected: `
        sender address rejected | sender address rejected: domain not found |
        sender address rejected: undeliverable | sender address rejected: unverified`,
      authentication: `
        client host rejected: cannot find your hostname |
        client host rejected: cannot find your reverse hostname | helo command rejected |
        client host rejected: * hostname`,
      blocked: `
        client host rejected | blocked using | service unavailable; client host |
        service unavailable; sender address | service unavailable; helo`,
      greylisted: `
        recipient address rejected: greylisted | recipient address rejected: greylisting |
        recipient address rejected: try again later | unverified address: `,
      relaying_denied: "relay access denied",
      rate_limited: "too much mail from | recipient address rejected: policy rejection: quota",
      system: `
        mail forwarding loop for | mail for * loops back to myself | too many hops | mail transport unavailable |
        server configuration error | local configuration error | unknown mail transport error |
        command died with | command time limit exceeded | queue file write error |
        maildir delivery failed | mail appears to be looping`,
      network: `
        host not found, try again | name service error * try again | lost connection with |
        conversation with * timed out | connection timed out`,
      content: "message content rejected | milter-reject",
      too_large: "message size * exceeds size limit | message file too big",
      mailbox_full: "cannot update mailbox * file too big | mailbox size limit",
    },
  },
  {
    source: "Exim",
    wordings: {
      user_unknown: `
        unrouteable address | unroutable address | unrouteable mail |
        no such person at this address | all relevant mx records point to non-existent hosts |
        this address no longer accepts mail`,
      host_unknown: `
        all host address lookups failed permanently |
        the account or domain may not exist, they may be blacklisted, or missing the proper dns entries`,
      network: `
        all hosts * have been failing for a long time | have been failing for a long time |
        host lookup did not complete | lowest numbered mx record points to local host |
        couldn't find any host`,
      expired: `
        retry timeout exceeded | retry time not reached for any host | message has been frozen`,
      sender_rejected: "sender verify failed | verification failed for | sender callback",
      authentication: "helo/ehlo | invalid helo name | bad helo | spoofed helo",
      system: `
        routing failed * too many * received headers | too many "received" headers |
        local delivery failed | pipe command | child process of`,
      policy: "administrative prohibition | rejected because",
      mailbox_full: "error while writing message | mailbox is full (mta-imposed quota",
    },
  },
  {
    source: "Sendmail",
    wordings: {
      user_unknown: "... user unknown | user unknown | user address required",
      host_unknown: `
        host unknown | name server: host not found | hostname unknown |
        remote protocol error * host unknown`,
      network: "deferred: connection | name server timeout | deferred: ",
      sender_rejected: `
        domain of sender address * does not exist | domain of sender address * does not resolve |
        domain of sender * does not`,
      expired: "message could not be delivered for | warning: message still undelivered after",
      system: `
        config error: mail loops back to me | mx list for * points back to |
        local configuration error | unbalanced | can't create output | user open error`,
      mailbox_full: "no space left | insufficient disk space | out of disk",
      authentication: `
        fix reverse dns | ip name lookup failed | ip name possibly forged |
        possibly forged hostname`,
      rate_limited: "connection rate limit exceeded | too many open connections",
      policy: "we do not accept mail from | access denied",
    },
  },
  {
    source: "qmail, vpopmail, Courier and netqmail",
    wordings: {
      user_unknown: `
        no mailbox here by that name | sorry, no mailbox here by that name |
        this address no longer accepts mail | does not like recipient | user does not exist |
        account * does not exist here | user not listed here | sorry, i can't find this user |
        badrcptto | invalid mailbox`,
      host_unknown: "couldn't find any host named | couldn't find a host",
      no_mx: "couldn't find a mail exchanger or ip address",
      network: `
        wasn't able to establish an smtp connection | although i'm listed as a best-preference mx |
        cname lookup failed temporarily | connected to * but connection died`,
      sender_rejected: `
        does not like sender | your envelope sender is in my badmailfrom list | badmailfrom |
        domain of sender | envelope sender domain must exist`,
      mailbox_full: `
        message would exceed * quota | mailfolder is full | user is over quota |
        the users mailfolder is over the allowed quota | over the allowed quota`,
      relaying_denied: "isn't in my list of allowed rcpthosts | not in my list of allowed",
      mailbox_disabled: "mailbox disabled, not accepting messages | user's account is disabled",
      too_large: "message exceeds databytes | fixed maximum message size",
      system: "this message is looping | qq trouble | too many hops, this message is looping",
      expired: "i'm not going to try again; this message has been in the queue too long",
    },
  },
  {
    source: "Exchange Server, IMail, MDaemon, Domino, GroupWise and Notes",
    wordings: {
      user_unknown: `
        the e-mail account does not exist at the organization |
        the recipient's e-mail address was not found | not listed in * directory |
        not listed in domino directory | not unique in domino directory |
        no route found to domain | does not match any * in the address book |
        no user by that name | mailbox does not exist | not a known user at this site |
        mapiexceptionmailboxdisabled | unknown local user`,
      mailbox_disabled: "account is not active | account not active",
      mailbox_full: `
        the recipient's mailbox is full | the recipient has exceeded |
        insufficient mailbox storage | mailbox * over its storage limit`,
      policy: `
        you do not have permission to send to this recipient | not configured to accept mail from |
        the recipient's mail system * does not accept`,
      relaying_denied: "unable to relay | relay not permitted | we do not relay",
      system: `
        unspecified system error | a loop has been detected | mail loop detected |
        maximum hop count exceeded |
        there was a smtp communication problem with the recipient's email server`,
      too_large: `
        this message is larger than the current system limit |
        message size exceeds fixed maximum message size | the message is too large`,
      network: "unable to bind to the destination server | hop count",
    },
  },
  {
    source: "Amazon SES, SendGrid, Mailgun, SparkPost and other senders",
    wordings: {
      user_unknown: `
        unable to deliver to previously bounced address |
        not delivering to previously bounced address | previously bounced address |
        address is on the suppression list | recipient address was suppressed |
        has a recent history of bouncing`,
      sender_rejected: "email address is not verified | sender email address not verified",
      content: "message contained suspicious character",
      policy: `
        not delivering to a user who marked your messages as spam | not delivering to unsubscribed`,
      expired: "retry timeout | unable to deliver within | no mta response within",
    },
  },
];
