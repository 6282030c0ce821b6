import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** What the check of a sender finds in the DNS. */
export const FINDINGS = {
  dns_not_answered: "DNS did not answer in time, or gave no clear answer. Check again later.",

  domain_unknown: "The domain does not exist in DNS. Servers reject mail from it.",
  null_mx:
    "The domain declares that it accepts no mail (null MX, RFC 7505). Replies and bounces are lost, and servers may reject its mail for that reason.",
  mx_found: "The domain accepts replies and bounces.",
  mx_missing:
    "The domain has no MX record, so replies and bounces go to its address records. Set an MX record that names your mail server.",
  mx_and_address_missing:
    "The domain has neither an MX record nor an address record, so it accepts no replies and no bounces. Many servers reject mail from such a domain. Set an MX record that names your mail server.",

  spf_missing: "The domain has no SPF record, so no server is authorized to send for it.",
  spf_several:
    "The domain has several SPF records, so servers ignore all of them. Merge them into one.",
  spf_ignored: "Servers ignore the record (permerror): {reason}.",
  spf_open: "The record lets anyone send for the domain: end it with ~all or -all.",
  spf_names_nobody: "The record authorizes no server to send for the domain.",
  spf_includes_provider:
    "The record includes the provider of {host}. It uses {used} of {max} DNS lookups.",
  spf_names_server:
    "The record authorizes the addresses of {host}. It uses {used} of {max} DNS lookups.",
  spf_lacks_server:
    "The record does not authorize the address of {host}. A relay often sends from other addresses: check the Received-SPF header of a delivered email, or ask your provider what to include. It uses {used} of {max} DNS lookups.",
  spf_lacks_addresses:
    "The record does not authorize all addresses of {host}. A relay often sends from other addresses: check the Received-SPF header of a delivered email, or ask your provider what to include. It uses {used} of {max} DNS lookups.",
  spf_server_unknown:
    "The addresses of {host} are unknown, so the record cannot be compared with them. A relay often sends from other addresses: check the Received-SPF header of a delivered email, or ask your provider what to include. It uses {used} of {max} DNS lookups.",

  // Why servers ignore an SPF record.
  spf_too_many_terms: "{domain}: it has too many terms",
  spf_unknown_term: "{domain}: “{term}” is not an SPF term",
  spf_invalid_domain: "“{name}” is not a domain",
  spf_includes_itself: "{domain} includes itself",
  spf_include_missing: "{domain} has no SPF record",
  spf_include_several: "{domain} has several SPF records",
  spf_too_many_mx: "{domain} has more than {max} MX records",
  spf_too_many_lookups: "it needs more than {max} DNS lookups",
  spf_too_many_voids: "it has more than {max} void lookups",

  dmarc_missing:
    "The domain has no DMARC record. Large providers reject or filter bulk mail without one.",
  dmarc_several: "The domain has several DMARC records, so servers ignore all of them. Keep one.",
  dmarc_ignored:
    "Servers ignore the DMARC record: it must have the form v=DMARC1; p=none, quarantine or reject.",
  dmarc_policy: "The policy is {policy}. {reports}",
  dmarc_policy_above: "The policy is {policy}, as {domain} sets it for subdomains. {reports}",
  dmarc_reports: "Reports go to {addresses}.",
  dmarc_no_reports: "No reports are sent: add rua=mailto: with one of your addresses.",

  envelope_same_domain:
    "The envelope sender has the domain of from_email, so SPF is aligned for DMARC.",
  envelope_same_organization:
    "The envelope sender shares the organizational domain of {domain}, so SPF is aligned for DMARC.",
  envelope_not_equal:
    "The DMARC record requires strict SPF alignment (aspf=s), so SPF is not aligned for DMARC. DKIM alone must pass.",
  envelope_other_domain:
    "The envelope sender is in another domain than {domain}, so SPF is not aligned for DMARC. DKIM alone must pass.",

  dkim_selector_unknown:
    "Your mail server signs, and only it knows the selector. Send an email from this project to the address of its return path or bounce mailbox, and this check reads the signature. Or find s= and d= in the DKIM-Signature header of a delivered email, and repeat this check with ?dkim_selector= and the value of s=.",
  dkim_key_missing:
    "There is no key at {name}. Publish the DNS record that your mail server shows for this selector.",
  dkim_key_several: "There are several keys at {name}, and servers may use any of them. Keep one.",
  dkim_key_revoked: "The key is revoked: its p= is empty.",
  dkim_key_ignored: "Servers ignore the key: {reason}.",
  dkim_key_testing: "The key is in test mode (t=y), so servers may ignore its signatures.",
  dkim_key_ed25519: "The key is Ed25519, which many servers do not verify. Sign with RSA as well.",
  dkim_key_too_short: "The RSA key has {bits} bits: servers ignore it.",
  dkim_key_short: "The RSA key has {bits} bits. Use 2048.",
  dkim_key_found: "The RSA key has {bits} bits.",

  // Why servers ignore a key of DKIM.
  key_not_tags: "it is not a tag list",
  key_wrong_version: "its version is not DKIM1",
  key_empty: "it has no key",
  key_without_sha256: "it does not allow SHA-256",
  key_not_for_mail: "it is not for email",
  key_not_base64: "its key is not base64",
  key_wrong_length: "its key has the wrong length",
  key_unknown_type: "its key type is unknown",
  key_unreadable: "its key cannot be read",

  mail_unsigned:
    "The email that came back on {day} at {time} UTC has no DKIM-Signature header: your mail server does not sign. Turn on DKIM there. Then send another email to the return path.",
  mail_signed_for_other:
    "The email that came back on {day} at {time} UTC is signed for another domain than {domain}, so DKIM is not aligned for DMARC. Configure your mail server to sign for {domain}. Then send another email to the return path.",
  mail_body_changed:
    "The email that came back on {day} at {time} UTC is signed for {domain} with the selector {selector}, but its body was changed afterward, so the signature fails. Sign on the last server in the delivery path. Then send another email to the return path.",
  mail_wrong_key:
    "The email that came back on {day} at {time} UTC is signed for {domain} with the selector {selector}, but not with the key in DNS, or a signed header was changed afterward. Publish the DNS record that your mail server shows. Then send another email to the return path.",
  mail_signature_valid:
    "The email that came back on {day} at {time} UTC is signed for {domain} with the selector {selector}. The signature is valid. {key}",
  mail_signed:
    "The email that came back on {day} at {time} UTC is signed for {domain} with the selector {selector}. {key}",

  bimi: "BIMI shows a logo next to email from a domain with an enforced DMARC policy. {state}",
  mta_sts: "MTA-STS makes servers use TLS for mail to the domain. {state}",
  tls_rpt: "TLS-RPT delivers reports of failed TLS connections for mail to the domain. {state}",
  record_set: "It is set.",
  record_not_set: "It is not set.",
} as const;

export type FindingCode = keyof typeof FINDINGS;

/** Makes a finding of the check of a sender. */
export const findingOf = <Code extends FindingCode>(
  code: Code,
  params?: ParamsFor<(typeof FINDINGS)[Code]>,
): Message<Code> => messageFrom(FINDINGS, code, params);
