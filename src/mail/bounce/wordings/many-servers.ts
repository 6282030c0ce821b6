import type { SourceWordings } from "./wording.ts";

/** Wordings shared by many systems. */
export const COMMON: readonly SourceWordings[] = [
  {
    source: "many servers",
    wordings: {
      sender_rejected: `
        sender rejected | sender denied | sender refused | invalid sender | bad sender |
        unknown sender | sender unknown | from address rejected | sender verification |
        invalid return path | domain of sender | mail from domain | sender domain |
        your domain does not exist | envelope sender | unresolvable sender | unverified sender |
        illegal sender | sender is blocked | blocked sender | sender blocked | sender is on |
        sender not allowed | not allowed to send mail | not authorized to send |
        not authorised to send | not permitted to send | not permitted to originate mail |
        fake sender | sender's domain | verify mailfrom failed | your domain is suspended |
        your domain has expired | sender email is not | unauthorised sender | unauthorized sender`,
      authentication: `
        spf | dkim | dmarc | senderid | sender id | domainkeys | reverse dns | reverse lookup |
        reverse hostname | find your hostname | rdns | no ptr | ptr record | ptr lookup |
        unauthenticated | authentication required | authentication failed |
        authentication is required | fails to pass authentication | spoof* | forged | forgery |
        impersonat* | helo | ehlo | fcrdns | hostname does not resolve | must have a dns |
        generic hostname | auth failed | mismatches client ip |
        mismatched with message header from | dns check failed | must authenticate |
        failed to authenticate`,
      blocked: `
        blacklist* | black list* | black-list* | blocklist* | block list* | block-list* |
        denylist* | deny list | blackhole* | reputation | ip address blocked | ip blocked |
        your ip | your host | your server | your network is | mail server * blocked | client host |
        connection refused by | connection blocked | blocked due to | blocked because |
        blocked for | blocked by | blocked using | ip address has been | banned | listed in |
        listed on | listed at | is listed by | dynamic ip | residential | dial-up | dialup |
        delist* | whitelist* | known spammer | known spam source | sending ip | bad sending |
        hosts in your network | invalid ip | ip is rejected | ip is hangup | bad ip profile |
        your mail server is | too many bounces | your sending domain is too new |
        newly registered domain | recently registered domain`,
      relaying_denied: `
        relaying denied | relay denied | relaying is prohibited | relaying not allowed |
        relaying not permitted | relay not permitted | relay not allowed | relaying prohibited |
        relay prohibited | relaying disallowed | relaying is not allowed | relay is not allowed |
        not permitted to relay | not allowed to relay | unable to relay | cannot relay |
        does not relay | do not relay | refuse to relay | not a gateway |
        relaying mail to * is not allowed | relay operation | insecure mail relay | no relaying |
        mail server requires authentication when attempting to send | as relay | local user only |
        local users only | unauthorized relay | no smtp mx only`,
      content: `
        spam | virus* | malware | phish* | trojan | infected | unsolicited | bulk mail | junk mail |
        malicious | offensive | prohibited content | content rejected | content denied |
        content policy | content restriction* | content filter* | message content | mail content |
        contents of the message | dangerous | attachment | attachments | executable |
        not rfc compliant | rfc 5322 | rfc 2822 | rfc822 violation | invalid header* |
        missing header* | malformed | 8-bit | 8bitmime | smtputf8 | media error | subject contains |
        the message was rejected because it contains | antispam | junkmail | required standards |
        mime error`,
      too_large: `
        message size | message length exceeds | message exceeds | exceeds the maximum * size |
        exceeds maximum * size | exceeds fixed | exceeded mailsize limit | maximum allowable size |
        maximum email size | maximum mail size | size exceeds | too large | too big |
        larger than the | size limit`,
      greylisted: "greylist* | graylist* | grey list* | gray list* | grey-list* | gray-list*",
      rate_limited: `
        rate limit* | rate-limit* | ratelimit* | throttl* | too many connections |
        too many concurrent | too many simultaneous | too many sessions | too many messages |
        too many mails | too many emails | too many recipients | too many rcpts | too many failed |
        too many invalid | too fast | too quickly | too frequent* | sender rate | sending rate |
        exceeded the maximum number | maximum number of | sending limit | sending quota |
        sender quota | sender's quota | sender exceeded * quota | sender exceeds * quota |
        sender has exceeded * quota | sender is over * quota | sender over quota |
        sender reached * quota | sender has reached * quota | quota for sender |
        quota for this sender | quota of sender | quota of the sender | sender address quota |
        sender account quota | outgoing quota | outgoing mail quota | send limit exceeded |
        hourly limit | daily limit | daily quota | message quota | connection limit | frequency |
        excessive | mail flood | per hour | slow down | thread limit`,
      mailbox_full: `
        mailbox full | mailbox is full | mailbox was full | mailbox too full | inbox full |
        inbox is full | account is full | mail box full | box is full | folder is full |
        maildrop is full | maildrop full | mailbox exceed* | quota | overquota | over storage |
        overstorage | over limit | over the limit | over size | over its size | over the allowed |
        over allowed | exceed * storage | exceeded * mailbox | exceeds * mailbox |
        exceeded * space | exhausted * storage | storage limit | storage space |
        storage allocation | insufficient space | insufficient disk | insufficient storage |
        not enough storage | not enough space | not enough disk | out of space | out of storage |
        disk full | disk space | no space left | no room in | no space on | mailbox size |
        mailbox has exceeded | size of * mailbox | file too large | enough space in the recipient |
        too many messages in * mailbox | too many messages on the server | mailbox limit |
        blocks limit exceeded | inode limit exceeded | storage full`,
      no_mx: `
        null mx | nullmx | null-mx | empty mx | indicated no smtp service | receives no email |
        no mx | no mail exchanger | no mail exchange | no valid mx | does not accept mail |
        doesn't accept mail | does not receive mail | not accept any mail | no smtp service here |
        no mail server | no mail hosts | unable to find mx | mx record * not found | mx lookup * no`,
      host_unknown: `
        host unknown | unknown host | no such host | no such domain | domain unknown |
        unknown domain | invalid domain | bad domain | nonexistent domain | non-existent domain |
        nxdomain | domain doesn't exist | domain isn't | domain is not | domain * does not exist |
        domain * not found | domain * couldn't be found | domain * could not be found |
        host * not found | host * does not exist | hostname unknown | cannot find * domain |
        can't find * domain | cannot resolve | can't resolve | could not resolve |
        unable to resolve | no dns entries | not found in dns | no a record | no address record |
        unresolvable domain | name or service not known | nodename nor servname | illegal host |
        no route to domain | domain has expired | domain is suspended | domain suspended |
        domain expired | no such address record | recipient domain * not | unrouteable domain |
        unroutable domain`,
      mailbox_disabled: `
        mailbox disabled | account disabled | user disabled | account suspended |
        mailbox suspended | mailbox inactive | account inactive | inactive user | inactive account |
        inactive mailbox | disabled user | disabled mailbox | disabled account | suspended account |
        account closed | account locked | mailbox closed | account expired | account has expired |
        mailbox expired | mailbox has expired | no longer active | no longer in use |
        no longer in service | address is discontinued | has been discontinued | mailbox frozen |
        not active | blocked due to inactivity | deactivated mailbox | inactive recipient |
        disabled with mta service | not activated | user hangup | has been cancelled |
        has been canceled | list is closed | currently suspended`,
      user_unknown: `
        user unknown | unknown user | unknown recipient | recipient unknown | unknown address |
        address unknown | unknown account | unknown mailbox | mailbox unknown | account unknown |
        unknown alias | unknown local part | unknown local-part | unknown local user |
        unknown or illegal | unknown email | unknown e-mail | unknown id | no such user |
        no such mailbox | no such recipient | no such account | no such address | no such person |
        no such alias | no such email | no such e-mail | no such name | no such local user |
        no such id | no such destination | no mailbox | no account | no recipient |
        no local mailbox | no valid recipient* | no one by that name | no one here by that name |
        invalid recipient* | invalid mailbox | invalid user | invalid address | invalid email |
        invalid e-mail | invalid account | invalid local part | invalid alias | bad recipient |
        bad address | bad destination | bad mailbox | bad user | bad local part | wrong recipient |
        wrong address | incorrect address | illegal user | illegal alias | illegal recipient |
        illegal address | nonexistent user | nonexistent recipient | nonexistent mailbox |
        nonexistent address | non-existent | non existent | nonexistant | unrouteable | unroutable |
        unresolvable | not a valid user | not a valid mailbox | not a valid recipient |
        not a valid address | not a valid email | not a known user | not a local user | not a real |
        not a registered | not our customer | not known at this site | not known here |
        not listed in | doesn't have an account | does not have a * account | recipient not found |
        user not found | mailbox not found | address not found | account not found |
        recipient not recognized | recipient not exist* | user not exist* | user not known |
        cannot find user | can't find user | could not find user | can't find the user |
        recipient syntax | recipient address syntax | undefined mailbox | recipient is not |
        user_unknown | unknownrecipient | userunknown | has moved | left the company |
        left the organization | left the organisation | no longer with | no longer at |
        no longer works | no longer employed | no longer exists | no longer valid |
        no longer on server | deceased | please check the address | check the recipient |
        mailbox name invalid | no mail box available | no one with that | nobody here by that |
        doesn't handle mail for that user | incorrectly addressed | no longer an employee |
        recipient cannot be verified | recipients cannot be verified | user path no exist |
        wrong recipients | not a member of domain | no correct recipients | unable to find alias |
        not found in ldap | not one of our customers | address not in use | address is not in use |
        cannot deliver mail for | is not on this system | not a customer |
        address is not deliverable | requested action not taken: mailbox not available |
        recipient unrecognized | retired | mailing list expansion problem`,
      expired: `
        delivery time expired | message expired | envelope expired | delivery expired |
        retry timeout | retry limit exceeded | queue too long | queue lifetime |
        has been in the queue | maximum retry | max retry | maximum queue time |
        exceeded max time without delivery | giving up | could not be delivered within |
        could not be delivered for | has not been collected | undelivered for | undelivered after |
        not been delivered * days | not been delivered * hours | after trying for |
        delivery attempts`,
      network: `
        connect to | timed out | time out | timeout | no route to host | host is down | host down |
        unreachable | not responding | no answer from | did not respond | network error |
        network problem | bad connection | no reply from | lookup fail* | name server | dns error |
        dns failure | dns query error | dns server | server failed | servfail | unable to connect |
        could not connect | couldn't connect | cannot connect | failed to connect |
        could not contact | unable to contact | socket | tls handshake | starttls`,
      system: `
        loops back | mail loop | routing loop | loop detected | too many hops | hop count |
        local error | internal error | server error | system error | system problem |
        system failure | configuration error | local problem | local policy error | i/o error |
        input/output error | read-only file system | permission denied | can't open | cannot open |
        can't create | cannot create | service unavailable | service not available |
        service currently unavailable | temporarily unavailable | temporary failure |
        temporary error | temporary problem | temporary system | system resources | out of memory |
        not enough memory | resources unavailable | too busy | very busy | server busy |
        overloaded | unexpected failure | mail system full | protocol error | improper sequence |
        bad sequence | not implemented | unrecognized command | unrecognised command |
        command not recognized | command unrecognized | must issue | need mail | need rcpt |
        delivery system | mailer error | exit status | script failed | verification problem |
        license limit | licence limit | blame it on the weather`,
      policy: `
        policy | policies | security reasons | forbidden | rejected by rule | unwanted |
        refused by | rejected by the recipient | not accepting | does not want | opt-in |
        do not have permission | no permission | only accept* | members only | moderated |
        rejected for | no permit | domain is not allowed | your country | geographic location |
        not allowed to connect | from your location | verify your address |
        requires that you verify | does not accept mail from | does not accept email from |
        do not accept mail from | do not accept email from | must use tls | challenge |
        recipient address rejected: access denied by policy | blocked | not authorised |
        unauthorized | unauthorised | authoriz* | authenticat* | violat* | suspicious | filtered`,
    },
  },
];

/** Words that decide only if no other wording matches and no code names a reason. */
export const WEAK: readonly SourceWordings[] = [
  {
    source: "many servers",
    wordings: {
      user_unknown: `
        undeliverable address | undeliverable recipient | unknown | no such | mailbox unavailable |
        mailbox not available | recipient rejected | rejected recipient | recipient refused |
        recipient not accepted | recipient denied | user rejected | address rejected |
        address error | does not exist | doesn't exist | no match | no matches | doesn't have a |
        not local | no user | moved to`,
      rate_limited: "too many errors | too many bad commands",
      policy: `
        mailbox unavailable or access denied | administrative* | prohibited | restricted |
        not allowed | denied | rejected | refused | not accepted | not permitted | permission |
        access | go away | declined | unacceptable`,
      system: "temporar* | try again | try later | deferred",
    },
  },
];
