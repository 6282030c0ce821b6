import type { FindingCode } from "../../../../src/messages/findings.ts";

/** German texts of sender check findings (src/messages). */
export const GERMAN_FINDINGS: Record<FindingCode, string> = {
  dns_not_answered:
    "Das DNS hat nicht rechtzeitig oder nicht eindeutig geantwortet. Prüfe es später noch einmal.",
  null_mx:
    "Die Domain erklärt, dass sie keine E-Mails annimmt (Null-MX, RFC 7505). Antworten und Rückläufer gehen verloren, und manche Server lehnen ihre E-Mails deshalb ab.",
  mx_found: "Die Domain nimmt Antworten und Rückläufer an.",
  mx_missing:
    "Die Domain hat keinen MX-Eintrag, also gehen Antworten und Rückläufer an ihre A- und AAAA-Einträge. Setze einen MX-Eintrag, der deinen Mailserver nennt.",
  mx_and_address_missing:
    "Es gibt die Domain nicht, oder sie hat weder einen MX-Eintrag noch eine Adresse, also nimmt sie weder Antworten noch Rückläufer an. Viele Server lehnen E-Mails von einer solchen Domain ab. Setze einen MX-Eintrag, der deinen Mailserver nennt.",
  spf_missing:
    "Die Domain hat keinen SPF-Eintrag, also ist kein Server berechtigt, für sie zu senden.",
  spf_several:
    "Die Domain hat mehrere SPF-Einträge, also ignorieren Server sie alle. Füge sie zu einem zusammen.",
  spf_ignored: "Server ignorieren den Eintrag (permerror): {reason}.",
  spf_open: "Der Eintrag lässt jeden für die Domain senden: Beende ihn mit ~all oder -all.",
  spf_names_nobody: "Der Eintrag nennt keinen Server, der für die Domain senden darf.",
  spf_includes_provider:
    "Der Eintrag schließt den Anbieter von {host} ein. Er braucht {used} von {max} DNS-Abfragen.",
  spf_names_server:
    "Der Eintrag nennt die Adressen von {host}. Er braucht {used} von {max} DNS-Abfragen.",
  spf_lacks_server:
    "Der Eintrag nennt {host} nicht, oder dessen Adressen sind nicht bekannt. Ein Relay sendet oft über andere Adressen: Sieh in einer angekommenen E-Mail unter Received-SPF nach, oder frage deinen Anbieter, was in den Eintrag gehört. Er braucht {used} von {max} DNS-Abfragen.",
  spf_include_not_one: "{domain} hat nicht genau einen SPF-Eintrag",
  spf_unknown_term: "{domain}: „{term}“ gibt es in SPF nicht",
  spf_too_many_lookups: "Er braucht mehr als {max} DNS-Abfragen",
  dmarc_missing:
    "Die Domain hat keinen DMARC-Eintrag. Ohne ihn lehnen große Anbieter Massen-E-Mails ab oder filtern sie.",
  dmarc_several:
    "Die Domain hat mehrere DMARC-Einträge, also ignorieren Server sie alle. Behalte einen.",
  dmarc_ignored:
    "Server ignorieren den DMARC-Eintrag: Er braucht die Form v=DMARC1; p=none, quarantine oder reject.",
  dmarc_policy: "Die Richtlinie ist {policy}, gesetzt von {domain}. {reports}",
  dmarc_reports: "Berichte gehen an {addresses}.",
  dmarc_no_reports: "Berichte gehen an niemanden: Ergänze rua=mailto: mit einer Adresse von dir.",
  envelope_aligned:
    "Der Envelope-Absender gehört zur selben Organisation wie {domain}, also zählt SPF für DMARC.",
  envelope_not_aligned:
    "Der Envelope-Absender hat eine andere Domain als {domain}, oder der DMARC-Eintrag verlangt dieselbe (aspf=s). SPF zählt nicht für DMARC, also muss DKIM allein bestehen.",
  dkim_selector_unknown:
    "Dein Mailserver signiert, und nur er kennt den Selektor. Sende eine E-Mail dieses Projekts an seine Rücksendeadresse oder an sein Postfach für Rückläufer, dann liest diese Prüfung die Signatur. Oder suche s= und d= im Header DKIM-Signature einer angekommenen E-Mail, und wiederhole diese Prüfung mit dem Wert von s= als DKIM-Selektor.",
  dkim_key_missing:
    "Unter {name} gibt es keinen Schlüssel. Setze den Eintrag, den dein Mailserver für diesen Selektor zeigt.",
  dkim_key_several:
    "Unter {name} gibt es mehrere Schlüssel, und Server nehmen irgendeinen davon. Behalte einen.",
  dkim_key_revoked: "Der Schlüssel ist widerrufen: Sein p= ist leer.",
  dkim_key_ignored:
    "Server ignorieren den Schlüssel: Er braucht die Form v=DKIM1; k=rsa; p= und den ganzen öffentlichen Schlüssel in Base64.",
  dkim_key_testing:
    "Der Schlüssel ist als Test markiert (t=y), also ignorieren manche Server seine Signaturen.",
  dkim_key_ed25519:
    "Der Schlüssel ist Ed25519, und das prüfen viele Server nicht. Signiere auch mit RSA.",
  dkim_key_too_short: "Der RSA-Schlüssel hat {bits} Bit: Server ignorieren ihn.",
  dkim_key_short: "Der RSA-Schlüssel hat {bits} Bit. Nimm 2048.",
  dkim_key_found: "Der RSA-Schlüssel hat {bits} Bit.",
  mail_unsigned:
    "Die E-Mail, die am {day} um {time} UTC zurückkam, hat keine DKIM-Signature: Dein Mailserver signiert nicht. Schalte DKIM dort ein. Sende dann noch eine E-Mail an die Rücksendeadresse.",
  mail_signed_for_other:
    "Die E-Mail, die am {day} um {time} UTC zurückkam, ist für eine andere Domain als {domain} signiert, also zählt DKIM nicht für DMARC. Lass deinen Mailserver für {domain} signieren. Sende dann noch eine E-Mail an die Rücksendeadresse.",
  mail_body_changed:
    "Die E-Mail, die am {day} um {time} UTC zurückkam, ist für {domain} mit dem Selektor {selector} signiert, aber danach hat etwas ihren Text geändert, und die Signatur stimmt nicht mehr. Lass den letzten Server auf dem Weg signieren. Sende dann noch eine E-Mail an die Rücksendeadresse.",
  mail_wrong_key:
    "Die E-Mail, die am {day} um {time} UTC zurückkam, ist für {domain} mit dem Selektor {selector} signiert, aber nicht mit dem Schlüssel im DNS, oder ein signiertes Feld wurde danach geändert. Setze den Eintrag, den dein Mailserver zeigt. Sende dann noch eine E-Mail an die Rücksendeadresse.",
  mail_signature_valid:
    "Die E-Mail, die am {day} um {time} UTC zurückkam, ist für {domain} mit dem Selektor {selector} signiert. Die Signatur ist gültig. {key}",
  mail_signed:
    "Die E-Mail, die am {day} um {time} UTC zurückkam, ist für {domain} mit dem Selektor {selector} signiert. {key}",
};
