import { germanNumber } from "../../ui/german-faults.ts";
import { sayInGerman, type GermanForms } from "../../ui/german-forms.ts";

/** Why a mail server could not be used. What the server itself said stays as it is. */
const CAUSES: GermanForms = [
  [/^the connection was refused$/, () => "Die Verbindung wurde abgelehnt"],
  [
    /^the connection was refused or the TLS certificate is not valid for that name$/,
    () => "Die Verbindung wurde abgelehnt, oder das TLS-Zertifikat gilt nicht für diesen Namen",
  ],
  [
    /^the TLS handshake failed or the certificate is not valid for that name$/,
    () => "Der TLS-Handshake scheiterte, oder das Zertifikat gilt nicht für diesen Namen",
  ],
  [/^the server closed the connection$/, () => "Der Server hat die Verbindung geschlossen"],
  [
    /^the server closed the connection when TLS began$/,
    () => "Der Server hat die Verbindung geschlossen, als TLS begann",
  ],
  [/^the connection was closed$/, () => "Die Verbindung wurde geschlossen"],
  [/^the session took too long$/, () => "Die Sitzung dauerte zu lange"],
  [/^no answer in time$/, () => "Der Server hat nicht rechtzeitig geantwortet"],
  [
    /^a line is over (\d+) bytes$/,
    (bytes) => `Eine Zeile des Servers hat mehr als ${germanNumber(bytes)} Bytes`,
  ],
  [
    /^the server sent something that is no (SMTP reply|IMAP response)$/,
    (what) => `Der Server hat etwas gesendet, das keine ${what.slice(0, 4)}-Antwort ist`,
  ],
  [
    /^the server answered (\d{3} )?out of place$/,
    (code = "") => `Der Server hat ${code}an der falschen Stelle geantwortet`,
  ],
  [/^the server answered:? ([^]+)$/, (reply) => `Der Server antwortete: ${reply}`],
  [/^the server does not offer STARTTLS$/, () => "Der Server bietet kein STARTTLS an"],
  [
    /^it offers (.+), not PLAIN or LOGIN$/,
    (offered) => `Der Server bietet nur ${offered} an, weder PLAIN noch LOGIN`,
  ],
  [
    /^the host is not a valid name or address$/,
    () => "Das ist weder ein gültiger Name noch eine gültige Adresse",
  ],
  [/^(?:the host|its address) is not (?:a )?public/, () => "Seine Adresse ist nicht öffentlich"],
  [/^the host is not a full domain name$/, () => "Das ist kein vollständiger Domainname"],
  [/^the host is a name of a private network$/, () => "Der Name gehört zu einem privaten Netz"],
  [
    /^it belongs to Cloudflare, and Workers cannot connect to Cloudflare's own addresses$/,
    () => "Er gehört zu Cloudflare, und dessen eigene Adressen sind für Workers nicht erreichbar",
  ],
];

/** Returns a cause in German; an unknown one stays as it is. */
const say = (cause: string): string => sayInGerman(CAUSES, cause) ?? cause;

/** What was tried with a server, and why it failed. */
const ATTEMPTS: GermanForms = [
  ...CAUSES,
  [
    /^could not connect to (\S+): ([^]+)$/,
    (server, cause) => `Die Verbindung mit ${server} gelang nicht: ${say(cause)}`,
  ],
  [
    /^could not start TLS with (\S+): ([^]+)$/,
    (server, cause) => `TLS mit ${server} gelang nicht: ${say(cause)}`,
  ],
  [
    /^could not log in to (\S+): ([^]+)$/,
    (server, cause) => `Die Anmeldung bei ${server} gelang nicht: ${say(cause)}`,
  ],
  [/^the SMTP login has a NUL character$/, () => "Die Anmeldung enthält ein NUL-Zeichen"],
  [
    /^no session with (\S+) became free within (\d+) seconds, and this project may open no more than (\d+)$/,
    (server, seconds, most) =>
      `Mit ${server} wurde innerhalb von ${seconds} Sekunden keine Verbindung frei. Mehr als ${most} darf dieses Projekt nicht öffnen.`,
  ],
  [
    /^the fallback server: ([^]+); the first server: ([^]+)$/,
    (fallback, first) =>
      `Ersatzserver: ${germanConnection(fallback) ?? fallback}. Erster Server: ${germanConnection(first) ?? first}`,
  ],
];

/** Returns in German why a mail server could not be used; undefined for unknown words. */
export const germanConnection = (sentence: string): string | undefined =>
  sayInGerman(ATTEMPTS, sentence);
