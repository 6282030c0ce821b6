import { sayInGerman, type GermanForms } from "../../ui/german-forms.ts";
import { germanDay, sayAllInGerman } from "../../ui/german-sentences.ts";

/** The reasons why servers ignore a key of DKIM. */
const KEY_FAULTS: Record<string, string> = {
  "it is no list of tags": "Sein Eintrag ist keine Liste von Tags",
  "its version is not DKIM1": "Seine Version ist nicht DKIM1",
  "it has no key": "Sein p= fehlt",
  "it does not allow SHA-256": "Er erlaubt kein SHA-256",
  "it is not for mail": "Er ist nicht für Mail bestimmt",
  "its key is no base64": "Sein p= ist kein Base64",
  "its key has the wrong length": "Seine Länge ist falsch",
  "its type of key is unknown": "Seine Art ist unbekannt",
  "its key cannot be read": "Er ist nicht lesbar",
};

/**
 * The reasons why servers ignore an SPF record. The names and words of records stay as they are.
 */
const SPF_FAULTS: GermanForms = [
  [/^(\S+): it has too many terms$/, (at) => `${at}: Der Eintrag hat zu viele Teile`],
  [/^(\S+): “(.*)” is no term of SPF$/, (at, term) => `${at}: „${term}“ gibt es in SPF nicht`],
  [/^“(.*)” is no domain$/, (name) => `„${name}“ ist keine Domain`],
  [/^(\S+) includes itself$/, (at) => `${at} schließt sich selbst ein`],
  [/^(\S+) has no SPF record$/, (at) => `${at} hat keinen SPF-Eintrag`],
  [/^(\S+) has several SPF records$/, (at) => `${at} hat mehrere SPF-Einträge`],
  [/^(\S+) has more than ten MX records$/, (at) => `${at} hat mehr als zehn MX-Einträge`],
  [/^it needs more than (\d+) look-ups$/, (most) => `Er braucht mehr als ${most} DNS-Abfragen`],
  [
    /^more than (\d+) of its look-ups find nothing$/,
    (most) => `Mehr als ${most} seiner DNS-Abfragen finden nichts`,
  ],
];

const SERVERS_RECORD = "Setze den Eintrag, den dein Mailserver für diesen Selektor zeigt";

/** The sentences of the check that are always the same. */
const FIXED: Record<string, string> = {
  "The DNS did not answer in time, or not clearly":
    "Das DNS hat nicht rechtzeitig oder nicht eindeutig geantwortet",
  "Check again later": "Prüfe es später noch einmal",
  "Keep one": "Behalte einen",
  "The DNS knows no such domain": "Das DNS kennt diese Domain nicht",
  "Servers refuse mail from it": "Server lehnen ihre Mail ab",
  "The domain says that it takes no mail (null MX, RFC 7505)":
    "Die Domain sagt, dass sie keine Mail annimmt (Null-MX, RFC 7505)",
  "Replies and bounces are lost, and servers may refuse its mail for that":
    "Antworten und Rückläufer gehen verloren, und manche Server lehnen ihre Mail deshalb ab",
  "The domain takes replies and bounces": "Die Domain nimmt Antworten und Rückläufer an",
  "The domain has no MX record, so replies and bounces go to its address records":
    "Die Domain hat keinen MX-Eintrag, also gehen Antworten und Rückläufer an ihre A- und AAAA-Einträge",
  "Set an MX record that names your mail server":
    "Setze einen MX-Eintrag, der deinen Mailserver nennt",
  "The domain has neither an MX record nor an address, so it takes no replies and no bounces":
    "Die Domain hat weder einen MX-Eintrag noch eine Adresse, also nimmt sie weder Antworten noch Rückläufer an",
  "Many servers refuse mail from such a domain":
    "Viele Server lehnen Mail von einer solchen Domain ab",
  "The domain has no SPF record, so no server is known to send for it":
    "Die Domain hat keinen SPF-Eintrag, also ist kein Server bekannt, der für sie sendet",
  "The domain has several SPF records, so servers ignore all of them":
    "Die Domain hat mehrere SPF-Einträge, also ignorieren Server sie alle",
  "Join them into one": "Füge sie zu einem zusammen",
  "The record lets anybody send for the domain: end it with ~all or -all":
    "Der Eintrag lässt jeden für die Domain senden: Beende ihn mit ~all oder -all",
  "The record names no server that may send for the domain":
    "Der Eintrag nennt keinen Server, der für die Domain senden darf",
  "A relay often sends from others: look at Received-SPF in a mail that arrived, or ask your provider what to include":
    "Ein Relay sendet oft über andere Adressen: Sieh in einer angekommenen Mail unter Received-SPF nach, oder frage deinen Anbieter, was in den Eintrag gehört",
  "The domain has no DMARC record": "Die Domain hat keinen DMARC-Eintrag",
  "Large providers refuse or filter bulk mail without one":
    "Ohne ihn lehnen große Anbieter Massenmails ab oder filtern sie",
  "The domain has several DMARC records, so servers ignore all of them":
    "Die Domain hat mehrere DMARC-Einträge, also ignorieren Server sie alle",
  "Servers ignore the DMARC record: it needs the form v=DMARC1; p=none, quarantine or reject":
    "Server ignorieren den DMARC-Eintrag: Er braucht die Form v=DMARC1; p=none, quarantine oder reject",
  "Nobody gets its reports: add rua=mailto: with an address of yours":
    "Niemand bekommt seine Berichte: Ergänze rua=mailto: mit einer Adresse von dir",
  "The envelope sender has the domain of from_email, so SPF counts for DMARC":
    "Der Envelope-Absender hat die Domain deiner Absenderadresse, also zählt SPF für DMARC",
  "The DMARC record demands equal domains (aspf=s), so SPF does not count for DMARC":
    "Der DMARC-Eintrag verlangt gleiche Domains (aspf=s), also zählt SPF nicht für DMARC",
  "DKIM alone must pass": "DKIM allein muss bestehen",
  "Your mail server signs, and only it knows the selector":
    "Dein Mailserver signiert, und nur er kennt den Selektor",
  "Send a mail of this project to the address of its return path or bounce mailbox, and this check reads the signature":
    "Sende eine Mail dieses Projekts an seine Rücksendeadresse oder an sein Postfach für Rückläufer, dann liest diese Prüfung die Signatur",
  "Or find s= and d= in the DKIM-Signature header of a mail that arrived, and repeat this check with ?dkim_selector= and the value of s=":
    "Oder suche s= und d= im Header DKIM-Signature einer angekommenen Mail, und wiederhole diese Prüfung mit ?dkim_selector= und dem Wert von s=",
  "Set the record that your mail server shows for this selector": SERVERS_RECORD,
  "Set the record that your mail server shows": SERVERS_RECORD,
  "The key is revoked: its p= is empty": "Der Schlüssel ist widerrufen: Sein p= ist leer",
  "The key is marked as a test (t=y), so servers may ignore its signatures":
    "Der Schlüssel ist als Test markiert (t=y), also ignorieren manche Server seine Signaturen",
  "The key is Ed25519, which many servers do not verify":
    "Der Schlüssel ist Ed25519, und das prüfen viele Server nicht",
  "Sign with RSA as well": "Signiere auch mit RSA",
  "Use 2048": "Nimm 2048",
  "Switch DKIM on there": "Schalte DKIM dort ein",
  "Then send another mail to the return path": "Sende dann noch eine Mail an die Rücksendeadresse",
  "Let the last server on the way sign": "Lass den letzten Server auf dem Weg signieren",
  "The signature is valid": "Die Signatur ist gültig",
  "BIMI shows a logo beside mails of a domain with an enforced DMARC policy":
    "BIMI zeigt ein Logo neben den Mails einer Domain, deren DMARC-Richtlinie durchgesetzt wird",
  "MTA-STS makes servers use TLS for mail to the domain":
    "MTA-STS bringt Server dazu, für Mail an die Domain TLS zu verwenden",
  "TLS-RPT brings reports of failed TLS for mail to the domain":
    "TLS-RPT bringt Berichte über gescheitertes TLS bei Mail an die Domain",
  "It is set": "Es ist eingerichtet",
  "It is not set": "Es ist nicht eingerichtet",
};

/** The sentences of the check about a mail that came back, after its time. */
const MAIL_FORMS: GermanForms = [
  [
    /^has no DKIM-Signature: your mail server does not sign$/,
    () => "hat keine DKIM-Signature: Dein Mailserver signiert nicht",
  ],
  [
    /^is signed for another domain than (\S+), so DKIM does not count for DMARC$/,
    (domain) =>
      `ist für eine andere Domain als ${domain} signiert, also zählt DKIM nicht für DMARC`,
  ],
  [
    /^is signed for (\S+) with the selector (\S+), but something changed its body after that, so the signature fails$/,
    (domain, selector) =>
      `ist für ${domain} mit dem Selektor ${selector} signiert, aber danach hat etwas ihren Text geändert, und die Signatur stimmt nicht mehr`,
  ],
  [
    /^is signed for (\S+) with the selector (\S+), but not with the key in the DNS, or a signed field changed after that$/,
    (domain, selector) =>
      `ist für ${domain} mit dem Selektor ${selector} signiert, aber nicht mit dem Schlüssel im DNS, oder ein signiertes Feld wurde danach geändert`,
  ],
  [
    /^is signed for (\S+) with the selector (\S+)$/,
    (domain, selector) => `ist für ${domain} mit dem Selektor ${selector} signiert`,
  ],
];

/** The sentences of the check with names and numbers. */
const FORMS: GermanForms = [
  [
    /^Servers ignore the record \(permerror\): (.+)$/,
    (fault) =>
      `Server ignorieren den Eintrag (permerror): ${sayInGerman(SPF_FAULTS, fault) ?? fault}`,
  ],
  [
    /^The record includes the provider of (\S+)$/,
    (host) => `Der Eintrag schließt den Anbieter von ${host} ein`,
  ],
  [
    /^The record names the addresses of (\S+)$/,
    (host) => `Der Eintrag nennt die Adressen von ${host}`,
  ],
  [
    /^It needs (\d+) of (\d+) look-ups$/,
    (used, most) => `Er braucht ${used} von ${most} DNS-Abfragen`,
  ],
  [
    /^The addresses of (\S+) are not known, so the record cannot be compared with them$/,
    (host) =>
      `Die Adressen von ${host} sind nicht bekannt, also lässt sich der Eintrag nicht mit ihnen vergleichen`,
  ],
  [
    /^The record does not name all addresses of (\S+)$/,
    (host) => `Der Eintrag nennt nicht alle Adressen von ${host}`,
  ],
  [
    /^The record does not name the address of (\S+)$/,
    (host) => `Der Eintrag nennt die Adresse von ${host} nicht`,
  ],
  [/^The policy is (\w+)$/, (policy) => `Die Richtlinie ist ${policy}`],
  [
    /^It is that of (\S+), with its policy for subdomains$/,
    (domain) => `Es ist die von ${domain}, mit deren Richtlinie für Subdomains`,
  ],
  [/^Reports go to (.+)$/, (addresses) => `Berichte gehen an ${addresses}`],
  [
    /^The envelope sender is of the same organisation as (\S+), so SPF counts for DMARC$/,
    (domain) =>
      `Der Envelope-Absender gehört zur selben Organisation wie ${domain}, also zählt SPF für DMARC`,
  ],
  [
    /^The envelope sender is of another domain than (\S+), so SPF does not count for DMARC$/,
    (domain) =>
      `Der Envelope-Absender hat eine andere Domain als ${domain}, also zählt SPF nicht für DMARC`,
  ],
  [/^There is no key at (\S+)$/, (name) => `Unter ${name} gibt es keinen Schlüssel`],
  [
    /^There are several keys at (\S+), and servers may use any$/,
    (name) => `Unter ${name} gibt es mehrere Schlüssel, und Server nehmen irgendeinen davon`,
  ],
  [
    /^Servers ignore the key: (.+)$/,
    (fault) =>
      `Server ignorieren den Schlüssel: ${(Object.hasOwn(KEY_FAULTS, fault) && KEY_FAULTS[fault]) || fault}`,
  ],
  [
    /^The RSA key has (\d+) bits: servers ignore it$/,
    (bits) => `Der RSA-Schlüssel hat ${bits} Bit: Server ignorieren ihn`,
  ],
  [/^The RSA key has (\d+) bits$/, (bits) => `Der RSA-Schlüssel hat ${bits} Bit`],
  [
    /^Let your mail server sign for (\S+)$/,
    (domain) => `Lass deinen Mailserver für ${domain} signieren`,
  ],
  [
    /^The mail that came back on (\S+) (\S+) UTC (.+)$/,
    (day, time, rest) =>
      `Die Mail, die am ${germanDay(day)} um ${time} UTC zurückkam, ${sayInGerman(MAIL_FORMS, rest) ?? rest}`,
  ],
];

/** Returns a finding about a sender in German; undefined for unknown words. */
export const germanFinding = (explanation: string): string | undefined =>
  sayAllInGerman(explanation, FIXED, FORMS);
