import { sayInGerman, type GermanForms } from "../../ui/german-forms.ts";
import { sayAllInGerman } from "../../ui/german-sentences.ts";
import { germanConnection } from "./german-connection.ts";

/** The findings of the test of a server in a step. */
const DETAILS: GermanForms = [
  [/^connected$/, () => "verbunden"],
  [/^connected with TLS$/, () => "verbunden, mit TLS"],
  [/^TLS is on$/, () => "TLS ist an"],
  [/^logged in$/, () => "angemeldet"],
  [
    /^no login: the server offers none or no user name is set$/,
    () => "ohne Anmeldung: Der Server bietet keine an, oder es gibt keinen Benutzernamen",
  ],
  [/^the server asks for no login$/, () => "Der Server verlangt keine Anmeldung"],
  [/^addresses: (\d+)$/, (found) => `Adressen: ${found}`],
  [
    /^(.+), cannot be reached: (\d+) more$/,
    (shown, more) => `${shown}, nicht erreichbar: ${more} weitere`,
  ],
  [
    /^the resolver did not answer, so the addresses were not checked$/,
    () => "Das DNS hat nicht geantwortet, also wurden die Adressen nicht geprüft",
  ],
  [/^unread messages: (\d+)$/, (unread) => `ungelesene Nachrichten: ${unread}`],
];

/** The steps whose success shows what the server said. */
const SERVERS_WORDS: readonly string[] = ["greeting", "ehlo", "mail", "capability", "folder"];

/** Returns the detail of a step in German. What a server said stays as it is. */
export const germanStep = (step: string, ok: boolean, detail: string): string =>
  ok && SERVERS_WORDS.includes(step)
    ? detail
    : (sayInGerman(DETAILS, detail) ?? germanConnection(detail) ?? detail);

const LAST_RESORT = "Wenn es so bleibt, frage deinen Mailanbieter";
const WORDS_TELL = "Seine Worte nennen den Grund";

/** The remedies in sentences that are always the same. */
const FIXED: Record<string, string> = {
  "Check the host name for a typing error, or ask your mail provider for it":
    "Prüfe den Namen des Servers auf Tippfehler, oder frage deinen Mailanbieter danach",
  "Enter the host name of the mail server itself: this name has no address record":
    "Gib den Namen des Mailservers selbst ein: Dieser Name hat keinen Adresseintrag",
  "If your own server stands behind Cloudflare's proxy, set its DNS record to “DNS only”":
    "Steht dein eigener Server hinter dem Proxy von Cloudflare, dann stelle seinen DNS-Eintrag auf „Nur DNS“",
  "Otherwise enter another mail server: those of Cloudflare itself cannot be used from Workers":
    "Sonst gib einen anderen Mailserver ein: Die von Cloudflare selbst lassen sich von Workers aus nicht nutzen",
  "Enter a host with a public address": "Gib einen Server mit einer öffentlichen Adresse ein",
  "This service cannot reach private networks": "Private Netze erreicht dieser Dienst nicht",
  "Test again in a few minutes": "Prüfe es in ein paar Minuten noch einmal",
  "If it stays so, ask your mail provider": LAST_RESORT,
  "Check smtp_host and smtp_port: most providers offer 465 and 587":
    "Prüfe SMTP-Server und Port: Die meisten Anbieter haben 465 und 587",
  "Check host and port: most providers offer 993":
    "Prüfe Server und Port: Die meisten Anbieter haben 993",
  "A firewall in front must let anybody in, because Cloudflare does not publish the addresses that Workers connect from":
    "Eine Firewall davor muss jeden durchlassen, denn Cloudflare veröffentlicht nicht, von welchen Adressen Workers sich verbinden",
  "The server refuses for now": "Der Server lehnt vorerst ab",
  "The server refuses this client": "Der Server lehnt diesen Client ab",
  "Its words tell why": WORDS_TELL,
  "Check that an SMTP server listens on this port":
    "Prüfe, ob auf diesem Port ein SMTP-Server antwortet",
  "Check that an IMAP server with TLS listens on this port":
    "Prüfe, ob auf diesem Port ein IMAP-Server mit TLS antwortet",
  "A TLS handshake that fails looks like this too":
    "Ein gescheiterter TLS-Handshake sieht genauso aus",
  "If the port expects TLS from the first byte, enter smtp_port 465":
    "Erwartet der Port TLS vom ersten Byte an, dann gib Port 465 ein",
  "Otherwise check that an SMTP server listens on it":
    "Sonst prüfe, ob dort ein SMTP-Server antwortet",
  "The server refuses the name of this client, which is the domain of from_email":
    "Der Server lehnt den Namen dieses Clients ab, und das ist die Domain des Absenders",
  "Enter a from_email of a domain of your own":
    "Gib eine Adresse des Absenders mit einer eigenen Domain ein",
  "That domain needs an A or MX record": "Diese Domain braucht einen A- oder MX-Eintrag",
  "Enter smtp_port 465 if the server offers it": "Gib Port 465 ein, wenn der Server ihn anbietet",
  "Otherwise the server must offer STARTTLS with a valid certificate":
    "Sonst muss der Server STARTTLS mit einem gültigen Zertifikat anbieten",
  "Check smtp_user and smtp_password": "Prüfe Benutzername und Passwort",
  "Many providers want a password for apps or an SMTP key instead of that of the account":
    "Viele Anbieter verlangen statt des Passworts für das Konto ein App-Passwort oder einen SMTP-Schlüssel",
  "Enter another server or port: the login needs PLAIN or LOGIN and an answer within ten seconds":
    "Gib einen anderen Server oder Port ein: Die Anmeldung braucht PLAIN oder LOGIN und eine Antwort innerhalb von zehn Sekunden",
  "The server did not confirm the mail": "Der Server hat die Mail nicht bestätigt",
  "Look whether it arrived before you test again":
    "Sieh nach, ob sie ankam, bevor du noch einmal prüfst",
  "The server does not take the mail now": "Der Server nimmt die Mail gerade nicht an",
  "The server does not let this account send from from_email":
    "Der Server lässt dieses Konto nicht mit der Adresse des Absenders senden",
  "Enter an address that the account may use": "Gib eine Adresse ein, die das Konto verwenden darf",
  "The server refuses your own address as recipient":
    "Der Server lehnt deine eigene Adresse als Empfänger ab",
  "Check that the account may send to other domains, and that your address exists":
    "Prüfe, ob das Konto an andere Domains senden darf und ob es deine Adresse gibt",
  "The server refuses the mail itself": "Der Server lehnt die Mail selbst ab",
  "Often the domain of from_email is not set up with the provider":
    "Oft ist die Domain des Absenders beim Anbieter nicht eingerichtet",
  "Enter smtp_port 587: TLS from the first byte belongs to 465 alone":
    "Gib Port 587 ein: TLS vom ersten Byte an gehört allein zu 465",
  "Enter port 993: the mailbox must be reached by TLS from the first byte":
    "Gib Port 993 ein: Das Postfach muss vom ersten Byte an mit TLS erreichbar sein",
  "Check user and password": "Prüfe Benutzername und Passwort",
  "Many providers want a password for apps instead of that of the account, and some switch IMAP on by hand":
    "Viele Anbieter verlangen statt des Passworts für das Konto ein App-Passwort, und bei manchen musst du IMAP erst einschalten",
  "Postrider logs in with PLAIN or LOGIN": "Postrider meldet sich mit PLAIN oder LOGIN an",
  "If user and password are right, ask your mail provider to enable one of the two":
    "Sind Benutzername und Passwort richtig, bitte deinen Mailanbieter, eines von beiden einzuschalten",
  "Enter the name of a folder that exists and that the account may change, for example INBOX":
    "Gib den Namen eines Ordners ein, den es gibt und den das Konto ändern darf, zum Beispiel INBOX",
  "If the server is not yours, tell your mail provider":
    "Gehört der Server nicht dir, dann sage es deinem Mailanbieter",
  "Check that the port is one for TLS and that the server has a certificate":
    "Prüfe, ob der Port für TLS da ist und ob der Server ein Zertifikat hat",
  "Renew the certificate of the server": "Erneuere das Zertifikat des Servers",
  "Check the clock of the server that made the certificate":
    "Prüfe die Uhr des Servers, der das Zertifikat ausgestellt hat",
  "Give the server a certificate of a public authority, for example Let's Encrypt":
    "Gib dem Server ein Zertifikat einer öffentlichen Zertifizierungsstelle, zum Beispiel Let’s Encrypt",
  "Let the server send the full chain of a certificate of a public authority":
    "Lass den Server die ganze Kette eines Zertifikats einer öffentlichen Zertifizierungsstelle senden",
};

/** The remedies in sentences with names and numbers. */
const FORMS: GermanForms = [
  [
    /^The host does not answer on port (\d+)$/,
    (port) => `Der Server antwortet auf Port ${port} nicht`,
  ],
  [
    /^The host refuses the connection on port (\d+)$/,
    (port) => `Der Server lehnt die Verbindung auf Port ${port} ab`,
  ],
  [
    /^Port (\d+) works: enter smtp_port \d+ with the password, and test again$/,
    (port) => `Port ${port} funktioniert: Gib ihn mit dem Passwort ein, und prüfe noch einmal`,
  ],
  [
    /^Check that the certificate is for (\S+), not expired, and of a public authority$/,
    (host) =>
      `Prüfe, ob das Zertifikat für ${host} gilt, nicht abgelaufen ist und von einer öffentlichen Zertifizierungsstelle stammt`,
  ],
  [
    /^Enter a host name that it covers as (?:smtp_)?host$/,
    () => "Gib einen Namen als Server ein, für den es gilt",
  ],
  [
    /^If (\S+) is the name of your provider's server, enter it as (?:smtp_)?host$/,
    (name) => `Heißt der Server deines Anbieters ${name}, dann gib diesen Namen als Server ein`,
  ],
  [
    /^Otherwise the server needs a certificate for (\S+)$/,
    (host) => `Sonst braucht der Server ein Zertifikat für ${host}`,
  ],
];

/** Returns in German what to change; undefined for unknown words. */
export const germanRemedy = (remedy: string): string | undefined =>
  sayAllInGerman(remedy, FIXED, FORMS);
