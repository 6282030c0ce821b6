import type { Words } from "./words.ts";

export const DE: Words = {
  preferences: {
    title: "Ihre E-Mails von {project}",
    intro: "Wählen Sie, welche E-Mails {email} bekommt.",
    topics: "Themen",
    save: "Speichern",
    saved: "Ihre Auswahl ist gespeichert.",
    undo: "Rückgängig machen",
    undone: "Alles ist wieder wie vorher.",
    leftTopic: "{email} bekommt keine E-Mails mehr zu „{topic}“.",
    everything: "Alle E-Mails",
    everythingHint: "Sie können auch alle E-Mails dieser Liste abbestellen.",
    leave: "Alles abbestellen",
    left: "{email} bekommt keine E-Mails mehr von dieser Liste.",
    isLeft: "{email} ist abgemeldet und bekommt keine E-Mails von dieser Liste.",
    comeBack: "Wieder anmelden",
    isBack: "{email} ist wieder angemeldet.",
    isPending: "{email} ist noch nicht bestätigt. Bitte folgen Sie dem Link in unserer E-Mail.",
    sendAgain: "E-Mail noch einmal senden",
    mailSent: "Wir senden eine E-Mail an {email}. Bitte folgen Sie dem Link darin.",
    mailSentBefore:
      "Eine E-Mail an {email} ist schon unterwegs oder im Postfach. Wenn ihr Link nicht funktioniert, versuchen Sie es bitte in zehn Minuten noch einmal.",
    noTopics: "Dieser Absender bietet keine Themen zur Auswahl an.",
    otherAddress:
      "Dieser Link ging an eine frühere Adresse. Sie können sich damit abmelden, aber sonst nichts ändern.",
  },
  data: {
    title: "Ihre Daten",
    hint: "Wir können {email} einen Link zu allem senden, was zu dieser Adresse gespeichert ist.",
    button: "Meine Daten per E-Mail senden",
    asked:
      "Wenn wir {email} schreiben dürfen, kommt bald eine E-Mail mit einem Link zu den Daten an. Wir senden höchstens drei solche E-Mails am Tag.",
    expiredHint:
      "Der Link galt eine Stunde. Auf der Seite, auf der Sie Ihre E-Mails wählen, können Sie einen neuen anfordern.",
  },
  confirm: {
    title: "Anmeldung bestätigen",
    intro: "Drücken Sie den Knopf, dann bekommt {email} E-Mails von {project}.",
    button: "Bestätigen",
    done: "Sie sind angemeldet",
    doneHint: "Vielen Dank. {email} ist bestätigt.",
    expired: "Dieser Link ist abgelaufen",
    expiredHint: "Der Link galt 7 Tage. Wir können Ihnen einen neuen senden.",
    sendNew: "Neuen Link senden",
    notWaiting: "Es gibt nichts mehr zu bestätigen.",
  },
  form: {
    email: "E-Mail-Adresse",
    name: "Name",
    topics: "Was möchten Sie bekommen?",
    button: "Anmelden",
    optional: "freiwillig",
    leaveEmpty: "Lassen Sie dieses Feld leer",
    required: "Bitte füllen Sie dieses Feld aus.",
    invalidEmail: "Bitte geben Sie eine vollständige E-Mail-Adresse ein.",
    invalid: "Bitte prüfen Sie diese Angabe.",
    faulty: "Bitte prüfen Sie die markierten Felder.",
    human: "Bitte bestätigen Sie, dass Sie ein Mensch sind.",
    needsScript: "Dieses Formular ist gegen Bots geschützt und braucht JavaScript.",
    checkInbox: "Sehen Sie in Ihr Postfach",
    checkInboxHint: "Klicken Sie auf den Link in unserer E-Mail, um Ihre Anmeldung zu bestätigen.",
    done: "Sie sind angemeldet",
    doneHint:
      "Sie bekommen ab jetzt unsere E-Mails. Hatten Sie sich früher abgemeldet? Dann bestätigen Sie bitte über unsere E-Mail.",
    known: "Sie sind schon angemeldet",
    knownHint: "Diese Adresse steht auf unserer Liste. Es hat sich nichts geändert.",
    closed: "Dieses Formular ist geschlossen",
    closedHint: "Es nimmt zurzeit keine Anmeldungen an.",
    later: "Bitte versuchen Sie es später noch einmal",
    laterHint: "Zurzeit gibt es zu viele Anmeldungen. Sie sind noch nicht angemeldet.",
    failedHint: "Sie sind noch nicht angemeldet. Bitte versuchen Sie es gleich noch einmal.",
  },
  mails: {
    confirmation: {
      subject: "Bitte bestätigen Sie Ihre Anmeldung bei {project}",
      intro:
        "Jemand, hoffentlich Sie, hat diese Adresse eingetragen, um E-Mails von {project} zu bekommen.",
      button: "Anmeldung bestätigen",
      expiry: "Der Link gilt 7 Tage.",
      ignore:
        "Wenn Sie es nicht waren, beachten Sie diese E-Mail nicht: Ohne die Bestätigung bekommen Sie keine weitere.",
    },
    data: {
      subject: "Ihre Daten bei {project}",
      intro: "Jemand, hoffentlich Sie, hat angefordert, was {project} zu dieser Adresse speichert.",
      button: "Daten herunterladen",
      expiry: "Der Link gilt eine Stunde.",
      ignore:
        "Wenn Sie es nicht waren, beachten Sie diese E-Mail nicht: Sonst bekommt niemand den Link. Bitte leiten Sie sie nicht weiter.",
    },
    welcome: {
      title: "Willkommen{to}",
      to: " bei {project}",
      thanks: "Vielen Dank für Ihre Anmeldung. Schön, dass Sie dabei sind.",
      next: "Ab jetzt schreiben wir Ihnen an diese Adresse, wenn es etwas Neues gibt.",
      button: "Los geht’s",
      reason: "Sie erhalten diese E-Mail, weil {email}{for} angemeldet wurde.",
      for: " bei {project}",
      thisAddress: "diese Adresse",
      greeting: "Hallo {name},",
      hello: "Guten Tag,",
      questions: "Fragen? Schreiben Sie an {email}.",
      unsubscribe: "Abmelden",
    },
    auth: {
      signup: {
        subject: "Bestätigen Sie Ihre E-Mail-Adresse",
        intro:
          "Bitte bestätigen Sie, dass diese Adresse Ihnen gehört, um die Registrierung bei {project} abzuschließen.",
        button: "E-Mail-Adresse bestätigen",
      },
      invite: {
        subject: "Sie sind zu {project} eingeladen",
        intro: "Sie wurden eingeladen, ein Konto bei {project} anzulegen.",
        button: "Einladung annehmen",
      },
      magiclink: {
        subject: "Anmeldung bei {project}",
        intro: "Jemand, hoffentlich Sie, möchte sich mit dieser Adresse bei {project} anmelden.",
        button: "Anmelden",
      },
      recovery: {
        subject: "Setzen Sie Ihr Passwort zurück",
        intro:
          "Jemand, hoffentlich Sie, möchte das Passwort Ihres Kontos bei {project} zurücksetzen.",
        button: "Passwort zurücksetzen",
      },
      email_change: {
        subject: "Bestätigen Sie Ihre neue E-Mail-Adresse",
        intro: "Bitte bestätigen Sie, dass Ihr Konto bei {project} die Adresse {new} bekommt.",
        button: "Änderung bestätigen",
      },
      reauthentication: {
        subject: "Ihr Bestätigungscode",
        intro: "Geben Sie diesen Code ein, um Ihre Identität bei {project} zu bestätigen:",
        button: "",
      },
      orCode: "Oder geben Sie diesen Code ein:",
      once: "Nur einmal und nur für kurze Zeit gültig.",
      ignore:
        "Wenn Sie es nicht waren, beachten Sie diese E-Mail nicht, und leiten Sie sie nicht weiter.",
    },
    copyLink: "Wenn der Knopf nicht geht, öffnen Sie diese Adresse:",
  },
  view: {
    gone: "Diese E-Mail ist nicht mehr verfügbar",
    goneHint:
      "E-Mails lassen sich 90 Tage lang im Browser öffnen, solange das Abonnement besteht und seine Adresse gleich bleibt.",
    test: "Dies ist eine Test-E-Mail",
    testHint: "In der Aussendung öffnet dieser Link die E-Mail im Browser der jeweiligen Person.",
  },
  archive: {
    title: "E-Mails von {project}",
    search: "Betreffe durchsuchen",
    find: "Suchen",
    none: "Noch keine E-Mails.",
    noneFound: "Kein Betreff enthält „{text}“.",
    newer: "Neuere",
    older: "Ältere",
    feed: "RSS-Feed",
    all: "Alle E-Mails",
    unknown: "Diese Seite gibt es nicht",
    unknownHint: "Vielleicht wurde die E-Mail aus dem Archiv genommen.",
  },
  faults: {
    unknownLink: "Dieser Link funktioniert nicht",
    unknownLinkHint:
      "Vielleicht wurde er unterwegs abgeschnitten, oder die Anmeldung besteht nicht mehr. Bitte versuchen Sie den Link in einer neueren E-Mail.",
    failed: "Das hat nicht geklappt",
    failedHint:
      "Es hat sich nichts geändert. Bitte öffnen Sie den Link in Ihrer E-Mail gleich noch einmal.",
  },
};
