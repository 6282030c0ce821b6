import { HOSTS } from "./hosts.ts";
import { messageFrom, type Message, type ParamsFor } from "./message.ts";

/** What happens on a connection with a mail server: what failed and why, and what was found. */
export const CONNECTIONS = {
  // What failed.
  not_connected: "could not connect to {server}: {reason}",
  tls_not_started: "could not start TLS with {server}: {reason}",
  not_logged_in: "could not log in to {server}: {reason}",
  imap_not_logged_in: "could not log in: {reason}",
  folder_not_opened: 'could not open the folder "{folder}": {reason}',
  folder_missing: 'the folder "{folder}" does not exist',
  folder_name_invalid: "the folder's name is empty or too long",
  unread_not_searched: "could not search for unread messages: {reason}",
  messages_not_fetched: "could not fetch messages: {reason}",
  messages_not_marked: "could not mark messages as seen: {reason}",
  no_free_session:
    "no session with {server} became free within {seconds} seconds, and this project may open no more than {max}",
  both_servers_failed: "the fallback server: {fallback}; the first server: {first}",

  // Why a connection failed or ended.
  refused: "the connection was refused",
  refused_or_certificate:
    "the connection was refused or the TLS certificate is not valid for that name",
  tls_failed: "the TLS handshake failed or the certificate is not valid for that name",
  closed: "the server closed the connection",
  closed_in_tls: "the server closed the connection when TLS began",
  connection_ended: "the connection was closed",
  session_ended: "the session has ended",
  session_given_up: "the session was abandoned",
  session_too_long: "the session took too long",
  no_answer: "no answer in time",

  // What a server or a name lacks, or does wrong.
  line_too_long: "a line is over {max} bytes",
  text_before_tls: "text came before TLS was on",
  not_smtp: "the server sent something that is not an SMTP reply",
  not_imap: "the server sent something that is not an IMAP response",
  not_imap4rev1: "the server does not support IMAP4rev1",
  bdat_unknown: "the server does not support BDAT",
  reply_out_of_place: "the server sent an unexpected reply: {reply}",
  response_out_of_place: "the server sent an unexpected response",
  response_too_long: "the server's response is too long",
  text_too_long: "the server sent more text than requested",
  session_too_large: "the server sent too much for one session",
  server_answered: "the server answered {reply}",
  command_refused: "the server answered: {reply}",
  server_left: "the server ended the session: {reply}",
  login_refused: "the server refused the login: {reply}",
  login_refused_with_methods: "the server refused the login: {reply} (it offers {methods})",
  login_without_password: "the server does not offer password authentication",
  login_without_password_with_methods:
    "the server does not offer password authentication (it offers {methods})",
  login_methods_unknown: "it offers {methods}, not PLAIN or LOGIN",
  starttls_missing: "the server does not offer STARTTLS",
  seen_not_kept: "messages in it cannot be marked as seen",
  ehlo_name_invalid: "the name for EHLO is not a domain name",
  nul_in_smtp_login: "the SMTP login contains a NUL character",
  nul_in_imap_login: "the IMAP login contains a NUL character",
  not_loopback: "{host} is not a loopback host, so TLS is required",
  name_unknown: "the host name does not exist in DNS",
  address_missing: "the host name has no address record in DNS",
  address_not_public: "its address is not public",
  cloudflare_unreachable: HOSTS.host_of_cloudflare,

  // Why TLS failed.
  port_in_plain_text: "the port answers in plain text, not with TLS",
  certificate_hidden: "the TLS handshake fails before the server presents a certificate",
  certificate_for_others: "the certificate is for {names}, not for {host}",
  no_names: "no host name",
  certificate_expired: "the certificate is valid only from {from} to {to}",
  certificate_self_signed:
    "the certificate is self-signed, not issued by a public certificate authority",
  certificate_untrusted:
    "the certificate matches the host and has not expired, but its certificate authority is not trusted or the intermediate certificate is missing",

  // Why a message cannot be sent to a server.
  no_recipient: "the message has no recipient",
  too_many_recipients: "a message has at most {max} recipients",
  sender_invalid: "the sender's address cannot be used in SMTP",
  recipient_invalid: "a recipient's address cannot be used in SMTP",
  extension_missing: "the server does not offer {extension}, which this message needs",
  message_too_large: "the message has {bytes} bytes, but the server accepts at most {max}",

  // What a step of a test found.
  server_said: "{words}",
  dns_silent: "the DNS resolver did not answer, so the addresses were not checked",
  addresses_found: "addresses: {count}",
  addresses_reachable: "{addresses}",
  connected: "connected",
  connected_with_tls: "connected with TLS",
  tls_on: "TLS is on",
  logged_in: "logged in",
  login_skipped: "no login: the server offers none, or no username is set",
  login_not_needed: "the server does not require a login",
  unread_counted: "unread messages: {count}",
} as const;

export type ConnectionCode = keyof typeof CONNECTIONS;
export type ConnectionMessage = Message<ConnectionCode>;

/** Makes a message about a connection. */
export const connectionMessage = <Code extends ConnectionCode>(
  code: Code,
  params?: ParamsFor<(typeof CONNECTIONS)[Code]>,
): Message<Code> => messageFrom(CONNECTIONS, code, params);

/** Makes the message of a failed attempt from the reason of the failure. */
export type Attempt = (reason: ConnectionMessage) => ConnectionMessage;
