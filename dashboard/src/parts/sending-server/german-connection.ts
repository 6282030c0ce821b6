import { germanNumber } from "../../ui/german-faults.ts";
import { sayInGerman, type GermanForms } from "../../ui/german-forms.ts";
import { germanDay } from "../../ui/german-sentences.ts";

/** The reasons why a mail server could not be used. What the server itself said stays as it is. */
const CAUSES: GermanForms = [
  [/^the DNS knows no such name$/, () => "Das DNS kennt diesen Namen nicht"],
  [/^the name has no address in the DNS$/, () => "Der Name hat im DNS keine Adresse"],
  [
    /^the port answers in plain text, not with TLS$/,
    () => "Der Port antwortet im Klartext, nicht mit TLS",
  ],
  [
    /^the TLS handshake fails, and the server shows no certificate to TLS 1\.2$/,
    () => "Der TLS-Handshake scheitert, und der Server zeigt mit TLS 1.2 kein Zertifikat",
  ],
  [
    /^the server closed the connection or fell silent in the TLS handshake$/,
    () => "Der Server hat die Verbindung im TLS-Handshake geschlossen oder nicht mehr geantwortet",
  ],
  [
    /^the certificate is for (.+), not for (\S+)$/,
    (names, host) => `Das Zertifikat gilt für ${germanNames(names)}, nicht für ${host}`,
  ],
  [
    /^the certificate expired on (\S+)$/,
    (day) => `Das Zertifikat ist am ${germanDay(day)} abgelaufen`,
  ],
  [
    /^the certificate is not valid before (\S+)$/,
    (day) => `Das Zertifikat gilt erst ab dem ${germanDay(day)}`,
  ],
  [
    /^the certificate is signed by itself, not by a public authority$/,
    () => "Das Zertifikat ist selbst signiert, nicht von einer öffentlichen Zertifizierungsstelle",
  ],
  [
    /^the certificate covers the host and the time, but its authority is not trusted$/,
    () =>
      "Das Zertifikat passt zu Name und Zeit, aber seiner Zertifizierungsstelle vertraut niemand",
  ],
  [
    /^the server sends its certificate alone, without the one of its authority$/,
    () => "Der Server sendet nur sein Zertifikat, ohne das der Zertifizierungsstelle",
  ],
  [/^the server does not speak IMAP4rev1$/, () => "Der Server spricht kein IMAP4rev1"],
  [
    /^the server refused the login: ([^]+)$/,
    (reply) => `Der Server lehnt die Anmeldung ab: ${reply}`,
  ],
  [
    /^the server offers no login with a password(?: \(it offers (.+)\))?$/,
    (methods) =>
      `Der Server bietet keine Anmeldung mit Passwort an${methods ? ` (er bietet ${methods})` : ""}`,
  ],
  [
    /^the server sent too much for one session$/,
    () => "Der Server hat zu viel für eine Sitzung gesendet",
  ],
  [
    /^the server ended the session: ([^]+)$/,
    (reply) => `Der Server hat die Sitzung beendet: ${reply}`,
  ],
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
  [
    /^messages in it cannot be marked as seen$/,
    () => "Nachrichten darin lassen sich nicht als gelesen markieren",
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

/** Returns the names of a certificate; a server writes them. */
const germanNames = (names: string): string =>
  names === "no host name" ? "keinen Namen" : names.replace(/ and (\d+) more$/, " und $1 weitere");

/** Returns a cause in German; an unknown one stays as it is. */
const say = (cause: string): string => sayInGerman(CAUSES, cause) ?? cause;

/** The attempts with a server, and the reasons why they failed. */
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
  [/^could not log in: ([^]+)$/, (cause) => `Die Anmeldung gelang nicht: ${say(cause)}`],
  [
    /^could not open the folder "([^"]*)": ([^]+)$/,
    (folder, cause) => `Der Ordner „${folder}“ ließ sich nicht öffnen: ${say(cause)}`,
  ],
  [/^the folder "([^"]*)" does not exist$/, (folder) => `Den Ordner „${folder}“ gibt es nicht`],
  [/^the folder's name is empty or too long$/, () => "Der Name des Ordners ist leer oder zu lang"],
  [
    /^could not search for unread messages: ([^]+)$/,
    (cause) => `Ungelesene Nachrichten ließen sich nicht suchen: ${say(cause)}`,
  ],
  [
    /^could not (?:mark messages as seen|fetch messages): ([^]+)$/,
    (cause) => `Nachrichten ließen sich nicht lesen: ${say(cause)}`,
  ],
  [/^the (?:SMTP|IMAP) login has a NUL character$/, () => "Die Anmeldung enthält ein NUL-Zeichen"],
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
