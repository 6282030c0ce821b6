import type { SourceWordings } from "./wording.ts";

/** Replies of mail filters and blocklists. */
export const FILTERS: readonly SourceWordings[] = [
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
      blocked: `
        ipcheck.proofpoint.com | blocked - see | 5.7.0 blocked | proofpoint dynamic reputation |
        cloudmark sender intelligence | message rejected due to * reputation`,
      policy: "local policy violation",
      user_unknown: "unknown recipient",
      content: "message blocked due to * content | spam score exceeds",
      rate_limited: "try again later * pps",
    },
  },
  {
    source: "Mimecast",
    wordings: {
      policy: `
        administrative prohibition | rejected by header based manually blocked senders |
        envelope blocked | rejected by header based | attachment prohibited |
        account service is temporarily unavailable | messages inconsistent with policy |
        host network * not allowed | user entry | user domain entry | content examination policy`,
      authentication: `
        rejected by header based anti-spoofing policy | header based anti-spoofing |
        anti-spoofing policy | dmarc sender invalid | spf sender invalid |
        dkim sender invalid | submitter failed to authenticate`,
      blocked: `
        local ip address block | rejected due to security policies | sender address blocked |
        known spamming ip | ct ip reputation`,
      user_unknown: "invalid recipient | recipient not found in ldap",
      greylisted: "internal resource temporarily unavailable",
      content: "virus signature detected | mimecast * spam | message bounced due to content",
      system: "recipient server unavailable or busy | maximum hops",
    },
  },
  {
    source: "Barracuda",
    wordings: {
      user_unknown: "cuda_nsu",
      blocked: `
        permanent failure for one or more recipients * :blocked |
        permanent failure for one or more recipients * blocked | blocked by barracuda |
        barracuda reputation`,
      content: "rejecting spoofed message | rejected due to content restrictions",
      policy: "rejected * due to sender policies | user defined policy",
      rate_limited: "rate controlled | rate control",
    },
  },
  {
    source: "Cisco, IronPort and OpenDNS",
    wordings: {
      user_unknown: "#5.1.0 address rejected | 5.1.0 address rejected | #5.1.1 unknown",
      blocked: `
        poor reputation |
        your access to this mail system has been rejected due to the sending mta's poor reputation |
        too many invalid recipients`,
      policy: "denied by policy",
      rate_limited: "too many recipients received this hour | too many recipients received from",
    },
  },
  {
    source: "Symantec, Trend Micro, Sophos, FireEye and Trellix",
    wordings: {
      sender_rejected: "envelope sender rejected",
      user_unknown: "invalid recipient * (mode: normal) | recipient unknown",
      blocked: `
        connection refused * ip reputation | email reputation | blocked using trend micro |
        network reputation`,
      content: `
        message filtered | vba macros | mail appears to be unsolicited |
        message refused by mailmarshal | surfcontrol | contains a * virus`,
      policy: "denied (mode: normal) | mail content policy",
    },
  },
  {
    source: "SpamAssassin, rspamd, MailScanner, amavis and ClamAV",
    wordings: {
      content: `
        spam detected | classified as spam | identified as spam | considered spam |
        detected as spam | high probability of spam | spam points | spam score | high spam |
        ube, id= | infected:  | virus found | virus detected | banned filename |
        content filter rejected | bad header | gtube`,
      policy: "spam message rejected by policy",
    },
  },
];
