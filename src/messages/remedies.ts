import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** What to change when a step of the test of a mail server fails. */
export const REMEDIES = {
  check_host_name: "Check the host name for a typing error, or ask your mail provider for it.",
  enter_mail_host:
    "Enter the host name of the mail server itself: this name has no address record.",
  turn_off_proxy:
    "If your own server stands behind Cloudflare's proxy, set its DNS record to “DNS only”. Otherwise enter another mail server: those of Cloudflare itself cannot be used from Workers.",
  use_public_host:
    "Enter a host with a public address. This service cannot reach private networks.",
  test_again: "Test again in a few minutes. If it stays so, ask your mail provider.",

  smtp_host_silent:
    "The host does not answer on port {port}. Check smtp_host and smtp_port: most providers offer 465 and 587. A firewall in front must let anybody in, because Cloudflare does not publish the addresses that Workers connect from.",
  smtp_host_refuses:
    "The host refuses the connection on port {port}. Check smtp_host and smtp_port: most providers offer 465 and 587. A firewall in front must let anybody in, because Cloudflare does not publish the addresses that Workers connect from.",
  refused_for_now:
    "The server refuses for now. Test again in a few minutes. If it stays so, ask your mail provider.",
  client_refused: "The server refuses this client. Its words tell why.",
  check_smtp_server:
    "Check that an SMTP server listens on this port. A TLS handshake that fails looks like this too.",
  check_smtp_port:
    "If the port expects TLS from the first byte, enter smtp_port 465. Otherwise check that an SMTP server listens on it.",
  use_own_domain:
    "The server refuses the name of this client, which is the domain of from_email. Enter a from_email of a domain of your own. That domain needs an A or MX record.",
  use_port_465:
    "Enter smtp_port 465 if the server offers it. Otherwise the server must offer STARTTLS with a valid certificate.",
  use_port_587: "Enter smtp_port 587: TLS from the first byte belongs to 465 alone.",
  use_other_port: "Port {port} works: enter smtp_port {port} with the password, and test again.",
  check_smtp_login:
    "Check smtp_user and smtp_password. Many providers want a password for apps or an SMTP key instead of that of the account.",
  use_other_server:
    "Enter another server or port: the login needs PLAIN or LOGIN and an answer within ten seconds.",
  look_for_mail:
    "The server did not confirm the mail. Look whether it arrived before you test again.",
  mail_refused_for_now:
    "The server does not take the mail now. Test again in a few minutes. If it stays so, ask your mail provider.",
  use_allowed_sender:
    "The server does not let this account send from from_email. Enter an address that the account may use.",
  check_recipients:
    "The server refuses your own address as recipient. Check that the account may send to other domains, and that your address exists.",
  set_up_domain:
    "The server refuses the mail itself. Its words tell why. Often the domain of from_email is not set up with the provider.",

  imap_host_silent:
    "The host does not answer on port {port}. Check host and port: most providers offer 993. A firewall in front must let anybody in, because Cloudflare does not publish the addresses that Workers connect from.",
  imap_host_refuses:
    "The host refuses the connection on port {port}. Check host and port: most providers offer 993. A firewall in front must let anybody in, because Cloudflare does not publish the addresses that Workers connect from.",
  check_imap_server:
    "Check that an IMAP server with TLS listens on this port. A TLS handshake that fails looks like this too.",
  use_port_993: "Enter port 993: the mailbox must be reached by TLS from the first byte.",
  enable_password_login:
    "Postrider logs in with PLAIN or LOGIN. If user and password are right, ask your mail provider to enable one of the two.",
  check_imap_login:
    "Check user and password. Many providers want a password for apps instead of that of the account, and some switch IMAP on by hand.",
  check_folder:
    "Enter the name of a folder that exists and that the account may change, for example INBOX.",

  check_certificate:
    "Check that the certificate is for {host}, not expired, and of a public authority. If the server is not yours, tell your mail provider.",
  check_tls_port:
    "Check that the port is one for TLS and that the server has a certificate. If the server is not yours, tell your mail provider.",
  use_covered_host:
    "Enter a host name that it covers as {field}. Otherwise the server needs a certificate for {host}.",
  use_named_host:
    "If {name} is the name of your provider's server, enter it as {field}. Otherwise the server needs a certificate for {host}.",
  renew_certificate:
    "Renew the certificate of the server. If the server is not yours, tell your mail provider.",
  check_clock:
    "Check the clock of the server that made the certificate. If the server is not yours, tell your mail provider.",
  get_certificate:
    "Give the server a certificate of a public authority, for example Let's Encrypt. If the server is not yours, tell your mail provider.",
  send_chain:
    "Let the server send the full chain of a certificate of a public authority. If the server is not yours, tell your mail provider.",
} as const;

export type RemedyCode = keyof typeof REMEDIES;
export type Remedy = Message<RemedyCode>;

/** Makes a remedy. */
export const remedyOf = <Code extends RemedyCode>(
  code: Code,
  params?: ParamsFor<(typeof REMEDIES)[Code]>,
): Message<Code> => messageFrom(REMEDIES, code, params);
