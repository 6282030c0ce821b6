const OTHER_ADDRESS = "Frage nach einer anderen Adresse: Diese steht auf der Sperrliste.";

/** The sentences of the service about a mail, and their German forms. */
const SENTENCES: Record<string, string> = {
  "There is nothing to do.": "Es gibt nichts zu tun.",
  "There is nothing to do: acceptance is the last that most servers tell.":
    "Es gibt nichts zu tun: Mehr als die Annahme melden die meisten Server nicht.",
  "The mail server accepted the mail.": "Der Mailserver hat die Mail angenommen.",
  "The mail server accepted the mail, and the recipient has complained since.":
    "Der Mailserver hat die Mail angenommen, und der Empfänger hat sich seither beschwert.",
  "Do not mail this address again, and check how it came onto your list.":
    "Schreibe dieser Adresse nicht mehr, und prüfe, wie sie auf deine Liste kam.",
  "The mail server accepted the mail, and its recipient clicked a link in it.":
    "Der Mailserver hat die Mail angenommen, und der Empfänger hat einen Link angeklickt.",
  "The mail server accepted the mail, and a link in it was visited, perhaps by a scanner.":
    "Der Mailserver hat die Mail angenommen, und ein Link wurde besucht, vielleicht von einem Sicherheitsscanner.",
  "The mail server accepted the mail, and its recipient opened it.":
    "Der Mailserver hat die Mail angenommen, und der Empfänger hat sie geöffnet.",
  "The mail server accepted the mail, and its images were loaded, perhaps by a program.":
    "Der Mailserver hat die Mail angenommen, und ihre Bilder wurden geladen, vielleicht von einem Programm.",
  "The address was on the suppression list, so nothing was sent.":
    "Die Adresse stand auf der Sperrliste, darum wurde nichts gesendet.",
  "The address is not on the list any more: the mail can be sent again.":
    "Die Adresse steht nicht mehr auf der Liste: Die Mail kann noch einmal gesendet werden.",
  "Ask the person for another address, and remove the entry only if this one works.":
    "Frage nach einer anderen Adresse, und entferne den Eintrag nur, wenn diese funktioniert.",
  "Respect it: the person has unsubscribed and must subscribe again themselves.":
    "Respektiere das: Die Person hat sich abgemeldet und muss sich selbst wieder anmelden.",
  "Remove the entry from the list if the address may be mailed again.":
    "Entferne den Eintrag von der Liste, wenn die Adresse wieder Mail bekommen darf.",
  "The connection was lost after the mail was handed over, so nobody knows if it arrived.":
    "Nach der Übergabe der Mail brach die Verbindung ab. Niemand weiß, ob sie ankam.",
  "Ask the recipient before you send it again: it could arrive twice.":
    "Frage den Empfänger, bevor du sie noch einmal sendest: Sie könnte doppelt ankommen.",
  "The address takes no mail.": "Die Adresse nimmt keine Mail an.",
  "Ask the person for another address.": "Frage nach einer anderen Adresse.",
  "The mail was not sent: the error has the words.":
    "Die Mail wurde nicht gesendet: Der Fehler nennt den Grund.",
  "Remove the cause that the error names, and send the mail again.":
    "Behebe, was der Fehler nennt, und sende die Mail noch einmal.",
  "Ask the person for another address: this one is on the suppression list.": OTHER_ADDRESS,
  "Check the address for a typing error, and ask the person for another one.":
    "Prüfe die Adresse auf Tippfehler, und frage nach einer anderen.",
  "Try again in some days: the recipient has to make room first.":
    "Versuche es in einigen Tagen wieder: Der Empfänger muss erst Platz schaffen.",
  "Check that the sender address exists and that this mail server may send for its domain.":
    "Prüfe, ob es die Absenderadresse gibt und ob dieser Mailserver für ihre Domain senden darf.",
  "Follow the link in the error, or ask the operator of your mail server to have it removed.":
    "Folge dem Link im Fehler, oder bitte den Betreiber deines Mailservers, den Eintrag entfernen zu lassen.",
  "Read the rule in the error, and ask the operator of the receiving system if it is unclear.":
    "Lies die Regel im Fehler, und frage den Betreiber des empfangenden Systems, wenn sie unklar ist.",
  "Set up SPF, DKIM and DMARC for the domain of your sender address, and give it an A or MX record.":
    "Richte SPF, DKIM und DMARC für die Domain deiner Absenderadresse ein, und gib ihr einen A- oder MX-Eintrag.",
  "Change the content, its links or its attachments, and test it with one mail.":
    "Ändere den Inhalt, seine Links oder seine Anhänge, und prüfe es mit einer Mail.",
  "Make the mail smaller: link large files instead of attaching them.":
    "Mache die Mail kleiner: Verlinke große Dateien, statt sie anzuhängen.",
  "Check the login in the SMTP settings and what your provider lets it send.":
    "Prüfe die Anmeldung in den SMTP-Einstellungen, und was dein Anbieter sie senden lässt.",
  "Try again later, and tell the operator of the receiving system if it goes on.":
    "Versuche es später wieder, und melde es dem Betreiber des empfangenden Systems, wenn es anhält.",
  "Read the words of the server in the error, and try again if they allow it.":
    "Lies die Worte des Servers im Fehler, und versuche es wieder, wenn sie es zulassen.",
  "Wait and send more slowly: set the limits of your mail server.":
    "Warte, und sende langsamer: Setze die Grenzen deines Mailservers.",
  "Send it again in some minutes: the server accepts a second attempt.":
    "Sende sie in einigen Minuten noch einmal: Der Server nimmt einen zweiten Versuch an.",
  "Try again later: the fault is one of the network.":
    "Versuche es später wieder: Der Fehler liegt im Netz.",
  "Check the address, and try again later if the domain is reachable.":
    "Prüfe die Adresse, und versuche es später wieder, wenn die Domain erreichbar ist.",
};

/** The reasons why a mail was refused or came back, as the end of a sentence. */
const REASONS: Record<string, string> = {
  "its server does not know the mailbox": "Ihr Server kennt das Postfach nicht",
  "the mailbox takes no mail any more": "Das Postfach nimmt keine Mail mehr an",
  "the domain of the address does not exist": "Die Domain der Adresse gibt es nicht",
  "the domain of the address takes no mail": "Die Domain der Adresse nimmt keine Mail an",
  "the mailbox is full": "Das Postfach ist voll",
  "the server does not accept your sender address":
    "Der Server akzeptiert deine Absenderadresse nicht",
  "the sending server or domain is on a blocklist or has a bad reputation":
    "Der sendende Server oder die Domain steht auf einer Sperrliste oder hat einen schlechten Ruf",
  "a rule of the receiving system forbids it": "Eine Regel des empfangenden Systems verbietet sie",
  "the sender did not pass SPF, DKIM, DMARC or a check of its host name":
    "Der Absender bestand SPF, DKIM, DMARC oder eine Prüfung seines Hostnamens nicht",
  "its content was taken for spam, for a virus or for forbidden":
    "Ihr Inhalt wurde für Spam, einen Virus oder verboten gehalten",
  "it is larger than the receiving system allows":
    "Sie ist größer, als das empfangende System erlaubt",
  "the mail server does not forward mail for this login or to this address":
    "Der Mailserver leitet für diese Anmeldung oder an diese Adresse nicht weiter",
  "the receiving system has a fault of its own": "Das empfangende System hat einen eigenen Fehler",
  "the server gave no reason that is known here":
    "Der Server nannte keinen Grund, der hier bekannt ist",
  "the server takes no more mail from you for now":
    "Der Server nimmt vorerst keine Mail mehr von dir an",
  "the server makes unknown senders wait": "Der Server lässt unbekannte Absender warten",
  "a name server or a connection failed": "Ein Nameserver oder eine Verbindung fiel aus",
  "the mail server gave up after trying for days":
    "Der Mailserver hat nach tagelangen Versuchen aufgegeben",
};

const HOW: Record<string, string> = {
  "The mail was refused": "Die Mail wurde abgewiesen",
  "The mail was accepted and came back": "Die Mail wurde angenommen und kam zurück",
};

/** Returns a sentence of the service about a mail in German; an unknown one stays as it is. */
export function germanStory(sentence: string): string {
  const [how = "", why = ""] = sentence.replace(/\.$/, "").split(": ");
  const reason = Object.hasOwn(REASONS, why) && Object.hasOwn(HOW, how);
  if (reason) return `${HOW[how]}: ${REASONS[why]}.`;
  return (Object.hasOwn(SENTENCES, sentence) && SENTENCES[sentence]) || sentence;
}
