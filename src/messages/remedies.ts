import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** What to change when a step of the test of a mail server fails. */
export const REMEDIES = {
  check_host_name: "Check the host name for typos, or ask your mail provider for it.",
  enter_mail_host:
    "Enter the host name of the mail server itself: this name has no address record.",
  turn_off_proxy:
    "If your own server is behind Cloudflare's proxy, set its DNS record to “DNS only”. Otherwise, enter another mail server: Workers cannot connect to Cloudflare's own mail servers.",
  use_public_host:
    "Enter a host with a public address. This service cannot reach private networks.",
  test_again: "Test again in a few minutes. If the problem persists, ask your mail provider.",

  check_smtp_host:
    "The host accepts no connection on port {port}. Check the SMTP server and the port: most providers offer 465 and 587. A firewall must allow connections from any address, because Cloudflare does not publish the addresses that Workers connect from.",
  client_refused: "The server rejects this client. Its reply says why.",
  check_smtp_port:
    "If the port expects implicit TLS, enter port 465. Otherwise, check that an SMTP server listens on it. A failed TLS handshake looks the same.",
  use_own_domain:
    "The server rejects the name of this client, which is the domain of the sender address. Enter a sender address in a domain of your own. That domain needs an A or MX record.",
  use_port_465:
    "Enter port 465 if the server offers it. Otherwise, the server must offer STARTTLS with a valid certificate.",
  use_port_587: "Enter port 587: only port 465 uses implicit TLS.",
  use_other_port: "Port {port} works: enter it with the password, and test again.",
  check_smtp_login:
    "Check the username and the password. Many providers require an app password or an SMTP key instead of the account password.",
  use_other_server:
    "Enter another server or port: the server must support PLAIN or LOGIN and answer within ten seconds.",
  look_for_mail:
    "The server did not confirm the email. Check whether it arrived before you test again.",
  use_allowed_sender:
    "The server does not let this account send from the sender address. Enter an address that the account is allowed to use.",
  check_recipients:
    "The server rejects your own address as a recipient. Check that the account is allowed to send to other domains, and that your address exists.",
  set_up_domain:
    "The server rejects the email itself. Its reply says why. Often, the domain of the sender address is not set up with the provider.",

  check_imap_host:
    "The host accepts no connection on port {port}. Check the server and the port: most providers offer 993. A firewall must allow connections from any address, because Cloudflare does not publish the addresses that Workers connect from.",
  check_imap_server:
    "Check that an IMAP server with TLS listens on this port. A failed TLS handshake looks the same.",
  use_port_993: "Enter port 993: the mailbox requires implicit TLS.",
  enable_password_login:
    "Postrider signs in with PLAIN or LOGIN. If the username and password are correct, ask your mail provider to enable one of the two.",
  check_imap_login:
    "Check the username and the password. Many providers require an app password instead of the account password, and some require you to enable IMAP first.",
  check_folder:
    "Enter the name of a folder that exists and that the account can modify, for example INBOX.",

  check_tls_port:
    "Check that this is a TLS port and that the server has a certificate. If the server is not yours, contact your mail provider.",
  use_covered_host:
    "As {field}, enter a host name that the certificate covers. Otherwise, the server needs a certificate for {host}.",
  renew_certificate:
    "Renew the certificate of the server. If the server is not yours, contact your mail provider.",
  get_certificate:
    "Install a certificate from a public certificate authority, for example Let's Encrypt. If the server is not yours, contact your mail provider.",
  send_chain:
    "Configure the server to send the full chain of a certificate from a public certificate authority. If the server is not yours, contact your mail provider.",
} as const;

export type RemedyCode = keyof typeof REMEDIES;
export type Remedy = Message<RemedyCode>;

/** Makes a remedy. */
export const remedyOf = <Code extends RemedyCode>(
  code: Code,
  params?: ParamsFor<(typeof REMEDIES)[Code]>,
): Message<Code> => messageFrom(REMEDIES, code, params);
