import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** What the check of a sender finds in the DNS. */
export const FINDINGS = {
  dns_not_answered: "DNS did not answer in time, or gave no clear answer. Check again later.",

  null_mx:
    "The domain declares that it accepts no mail (null MX, RFC 7505). Replies and bounces are lost, and servers may reject its mail for that reason.",
  mx_found: "The domain accepts replies and bounces.",
  mx_missing:
    "The domain has no MX record, so replies and bounces go to its address records. Set an MX record that names your mail server.",
  mx_and_address_missing:
    "The domain does not exist, or has neither an MX record nor an address record, so it accepts no replies and no bounces. Many servers reject mail from such a domain. Set an MX record that names your mail server.",

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
    "The record does not authorize {host}, or its addresses are unknown. A relay often sends from other addresses: check the Received-SPF header of a delivered email, or ask your provider what to include. It uses {used} of {max} DNS lookups.",

  // Why servers ignore an SPF record.
  spf_include_not_one: "{domain} does not have exactly one SPF record",
  spf_unknown_term: "{domain}: “{term}” is not an SPF term",
  spf_too_many_lookups: "it needs more than {max} DNS lookups",

  dmarc_missing:
    "The domain has no DMARC record. Large providers reject or filter bulk mail without one.",
  dmarc_several: "The domain has several DMARC records, so servers ignore all of them. Keep one.",
  dmarc_ignored:
    "Servers ignore the DMARC record: it must have the form v=DMARC1; p=none, quarantine or reject.",
  dmarc_policy: "The policy is {policy}, set by {domain}. {reports}",
  dmarc_reports: "Reports go to {addresses}.",
  dmarc_no_reports: "No reports are sent: add rua=mailto: with one of your addresses.",

  envelope_aligned:
    "The envelope sender shares the organizational domain of {domain}, so SPF is aligned for DMARC.",
  envelope_not_aligned:
    "The envelope sender is in another domain than {domain}, or the DMARC record requires the same one (aspf=s). SPF is not aligned for DMARC, so DKIM alone must pass.",

  dkim_selector_unknown:
    "Your mail server signs, and only it knows the selector. Send an email from this project to the address of its return path or bounce mailbox, and this check reads the signature. Or find s= and d= in the DKIM-Signature header of a delivered email, and repeat this check with the value of s= as the DKIM selector.",
  dkim_key_missing:
    "There is no key at {name}. Publish the DNS record that your mail server shows for this selector.",
  dkim_key_several: "There are several keys at {name}, and servers may use any of them. Keep one.",
  dkim_key_revoked: "The key is revoked: its p= is empty.",
  dkim_key_ignored:
    "Servers ignore the key: it must have the form v=DKIM1; k=rsa; p= and the whole public key in base64.",
  dkim_key_testing: "The key is in test mode (t=y), so servers may ignore its signatures.",
  dkim_key_ed25519: "The key is Ed25519, which many servers do not verify. Sign with RSA as well.",
  dkim_key_too_short: "The RSA key has {bits} bits: servers ignore it.",
  dkim_key_short: "The RSA key has {bits} bits. Use 2048.",
  dkim_key_found: "The RSA key has {bits} bits.",

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
} as const;

export type FindingCode = keyof typeof FINDINGS;

/** Makes a finding of the check of a sender. */
export const findingOf = <Code extends FindingCode>(
  code: Code,
  params?: ParamsFor<(typeof FINDINGS)[Code]>,
): Message<Code> => messageFrom(FINDINGS, code, params);
