import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** What the check of a sender finds in the DNS. */
export const FINDINGS = {
  dns_not_answered: "The DNS did not answer in time, or not clearly. Check again later.",

  domain_unknown: "The DNS knows no such domain. Servers refuse mail from it.",
  null_mx:
    "The domain says that it takes no mail (null MX, RFC 7505). Replies and bounces are lost, and servers may refuse its mail for that.",
  mx_found: "The domain takes replies and bounces.",
  mx_missing:
    "The domain has no MX record, so replies and bounces go to its address records. Set an MX record that names your mail server.",
  mx_and_address_missing:
    "The domain has neither an MX record nor an address, so it takes no replies and no bounces. Many servers refuse mail from such a domain. Set an MX record that names your mail server.",

  spf_missing: "The domain has no SPF record, so no server is known to send for it.",
  spf_several:
    "The domain has several SPF records, so servers ignore all of them. Join them into one.",
  spf_ignored: "Servers ignore the record (permerror): {reason}.",
  spf_open: "The record lets anybody send for the domain: end it with ~all or -all.",
  spf_names_nobody: "The record names no server that may send for the domain.",
  spf_includes_provider:
    "The record includes the provider of {host}. It needs {used} of {max} look-ups.",
  spf_names_server: "The record names the addresses of {host}. It needs {used} of {max} look-ups.",
  spf_lacks_server:
    "The record does not name the address of {host}. A relay often sends from others: look at Received-SPF in a mail that arrived, or ask your provider what to include. It needs {used} of {max} look-ups.",
  spf_lacks_addresses:
    "The record does not name all addresses of {host}. A relay often sends from others: look at Received-SPF in a mail that arrived, or ask your provider what to include. It needs {used} of {max} look-ups.",
  spf_server_unknown:
    "The addresses of {host} are not known, so the record cannot be compared with them. A relay often sends from others: look at Received-SPF in a mail that arrived, or ask your provider what to include. It needs {used} of {max} look-ups.",

  // Why servers ignore an SPF record.
  spf_too_many_terms: "{domain}: it has too many terms",
  spf_unknown_term: "{domain}: “{term}” is no term of SPF",
  spf_invalid_domain: "“{name}” is no domain",
  spf_includes_itself: "{domain} includes itself",
  spf_include_missing: "{domain} has no SPF record",
  spf_include_several: "{domain} has several SPF records",
  spf_too_many_mx: "{domain} has more than {max} MX records",
  spf_too_many_lookups: "it needs more than {max} look-ups",
  spf_too_many_voids: "more than {max} of its look-ups find nothing",

  dmarc_missing:
    "The domain has no DMARC record. Large providers refuse or filter bulk mail without one.",
  dmarc_several: "The domain has several DMARC records, so servers ignore all of them. Keep one.",
  dmarc_ignored:
    "Servers ignore the DMARC record: it needs the form v=DMARC1; p=none, quarantine or reject.",
  dmarc_policy: "The policy is {policy}. {reports}",
  dmarc_policy_above:
    "The policy is {policy}. It is that of {domain}, with its policy for subdomains. {reports}",
  dmarc_reports: "Reports go to {addresses}.",
  dmarc_no_reports: "Nobody gets its reports: add rua=mailto: with an address of yours.",

  envelope_same_domain:
    "The envelope sender has the domain of from_email, so SPF counts for DMARC.",
  envelope_same_organization:
    "The envelope sender is of the same organization as {domain}, so SPF counts for DMARC.",
  envelope_not_equal:
    "The DMARC record demands equal domains (aspf=s), so SPF does not count for DMARC. DKIM alone must pass.",
  envelope_other_domain:
    "The envelope sender is of another domain than {domain}, so SPF does not count for DMARC. DKIM alone must pass.",

  dkim_selector_unknown:
    "Your mail server signs, and only it knows the selector. Send a mail of this project to the address of its return path or bounce mailbox, and this check reads the signature. Or find s= and d= in the DKIM-Signature header of a mail that arrived, and repeat this check with ?dkim_selector= and the value of s=.",
  dkim_key_missing:
    "There is no key at {name}. Set the record that your mail server shows for this selector.",
  dkim_key_several: "There are several keys at {name}, and servers may use any. Keep one.",
  dkim_key_revoked: "The key is revoked: its p= is empty.",
  dkim_key_ignored: "Servers ignore the key: {reason}.",
  dkim_key_testing: "The key is marked as a test (t=y), so servers may ignore its signatures.",
  dkim_key_ed25519: "The key is Ed25519, which many servers do not verify. Sign with RSA as well.",
  dkim_key_too_short: "The RSA key has {bits} bits: servers ignore it.",
  dkim_key_short: "The RSA key has {bits} bits. Use 2048.",
  dkim_key_found: "The RSA key has {bits} bits.",

  // Why servers ignore a key of DKIM.
  key_not_tags: "it is no list of tags",
  key_wrong_version: "its version is not DKIM1",
  key_empty: "it has no key",
  key_without_sha256: "it does not allow SHA-256",
  key_not_for_mail: "it is not for mail",
  key_not_base64: "its key is no base64",
  key_wrong_length: "its key has the wrong length",
  key_unknown_type: "its type of key is unknown",
  key_unreadable: "its key cannot be read",

  mail_unsigned:
    "The mail that came back on {day} {time} UTC has no DKIM-Signature: your mail server does not sign. Switch DKIM on there. Then send another mail to the return path.",
  mail_signed_for_other:
    "The mail that came back on {day} {time} UTC is signed for another domain than {domain}, so DKIM does not count for DMARC. Let your mail server sign for {domain}. Then send another mail to the return path.",
  mail_body_changed:
    "The mail that came back on {day} {time} UTC is signed for {domain} with the selector {selector}, but something changed its body after that, so the signature fails. Let the last server on the way sign. Then send another mail to the return path.",
  mail_wrong_key:
    "The mail that came back on {day} {time} UTC is signed for {domain} with the selector {selector}, but not with the key in the DNS, or a signed field changed after that. Set the record that your mail server shows. Then send another mail to the return path.",
  mail_signature_valid:
    "The mail that came back on {day} {time} UTC is signed for {domain} with the selector {selector}. The signature is valid. {key}",
  mail_signed:
    "The mail that came back on {day} {time} UTC is signed for {domain} with the selector {selector}. {key}",

  bimi: "BIMI shows a logo beside mails of a domain with an enforced DMARC policy. {state}",
  mta_sts: "MTA-STS makes servers use TLS for mail to the domain. {state}",
  tls_rpt: "TLS-RPT brings reports of failed TLS for mail to the domain. {state}",
  record_set: "It is set.",
  record_not_set: "It is not set.",
} as const;

export type FindingCode = keyof typeof FINDINGS;

/** Makes a finding of the check of a sender. */
export const findingOf = <Code extends FindingCode>(
  code: Code,
  params?: ParamsFor<(typeof FINDINGS)[Code]>,
): Message<Code> => messageFrom(FINDINGS, code, params);
