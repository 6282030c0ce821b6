import type { ReadyMadeWords } from "./words.ts";

const HI = "{{#if name}}Hallo {{name}},{{else}}Hallo,{{/if}}";

export const DE: ReadyMadeWords = {
  reason: "Du bekommst diese E-Mail, weil du {brand} abonniert hast.",
  confirm: "Adresse bestätigen",
  toCart: "Zum Warenkorb",
  welcome_series: {
    name: "Willkommensserie",
    description: "Begrüßt neue Abonnenten und schreibt ihnen in der ersten Woche noch zweimal.",
    mails: {
      hello: {
        subject: "Willkommen bei {brand}",
        heading: "Willkommen bei {brand}",
        paragraphs: [
          HI,
          "schön, dass du dabei bist! Ab jetzt erfährst du unsere Neuigkeiten zuerst.",
          "In den nächsten Tagen schreiben wir dir noch zweimal, damit du weißt, was dich erwartet. Wenn du eine Frage hast, antworte einfach auf diese E-Mail: Wir lesen jede Antwort.",
        ],
      },
      tips: {
        subject: "Was dich bei {brand} erwartet",
        heading: "Was dich erwartet",
        paragraphs: [
          HI,
          "wir schreiben, wenn es sich lohnt: was neu ist, was anderen gefällt und was wir gelernt haben.",
          "Wie viel davon du bekommst, entscheidest du. Über den Link am Ende jeder E-Mail kannst du auswählen oder dich jederzeit abmelden.",
        ],
      },
      question: {
        subject: "Eine Frage an dich",
        heading: "Was hat dich zu uns geführt?",
        paragraphs: [
          HI,
          "seit einer Woche bist du dabei. Warum hast du dich angemeldet, und worüber möchtest du etwas lesen?",
          "Antworte mit einem Satz. So können wir schreiben, was dir nützt.",
        ],
      },
    },
  },
  opt_in_reminder: {
    name: "Erinnerung an die Bestätigung",
    description: "Erinnert alle, die sich angemeldet und ihre Adresse nicht bestätigt haben.",
    mails: {
      first: {
        subject: "Bitte bestätige deine Adresse",
        heading: "Es fehlt nur noch ein Klick",
        paragraphs: [
          HI,
          "du hast dich bei {brand} angemeldet und deine Adresse noch nicht bestätigt. Vorher dürfen wir dir nicht schreiben.",
        ],
      },
      last: {
        subject: "Letzte Erinnerung: Bestätige deine Adresse",
        heading: "Möchtest du noch von uns hören?",
        paragraphs: [
          HI,
          "das ist unsere letzte E-Mail, wenn du deine Adresse nicht bestätigst. Falls du dich nicht angemeldet hast, musst du nichts tun.",
        ],
      },
    },
  },
  abandoned_cart: {
    name: "Abgebrochener Einkauf",
    description:
      "Erinnert an den Warenkorb: Das Ereignis checkout_started beginnt die Serie, purchased beendet sie.",
    mails: {
      first: {
        subject: "Du hast etwas vergessen",
        heading: "Dein Warenkorb wartet",
        paragraphs: [
          HI,
          "du hast etwas in deinen Warenkorb gelegt und die Bestellung nicht abgeschlossen. Wir haben ihn für dich aufgehoben.",
          "Hat etwas nicht geklappt? Antworte auf diese E-Mail, wir helfen gern.",
        ],
      },
      last: {
        subject: "Dein Warenkorb bei {brand}",
        heading: "Hast du noch Interesse?",
        paragraphs: [
          HI,
          "dein Warenkorb ist noch da. Wir erinnern dich nur dieses eine Mal daran, denn wir wollen dir nicht auf die Nerven gehen.",
        ],
      },
    },
  },
  win_back: {
    name: "Zurückgewinnen",
    description:
      "Schreibt Leuten, die still geworden sind: Wähle ein Segment wie „not opened:90d“.",
    mails: {
      "miss-you": {
        subject: "Lange nichts gehört",
        heading: "Lange nichts gehört",
        paragraphs: [
          HI,
          "wir haben länger nichts von dir gehört, und seitdem ist viel passiert. Schau doch mal wieder vorbei.",
          "Wenn unsere E-Mails nicht das sind, was du dir erhofft hast, sag uns, was fehlt: Eine kurze Antwort genügt.",
        ],
      },
      last: {
        subject: "Bleiben wir in Kontakt?",
        heading: "Bleiben wir in Kontakt?",
        paragraphs: [
          HI,
          "wenn du weiter von uns hören möchtest, musst du nichts tun. Wenn nicht, meldet dich der Link unten mit einem Klick ab, und niemand ist dir böse.",
        ],
      },
    },
  },
  birthday: {
    name: "Geburtstag",
    description: "Gratuliert jedes Jahr am Tag im Feld birthday.",
    mails: {
      wishes: {
        subject: "Alles Gute zum Geburtstag{{#if name}}, {{name}}{{/if}}!",
        heading: "Alles Gute zum Geburtstag!",
        paragraphs: [
          HI,
          "wir alle bei {brand} wünschen dir einen wunderbaren Tag und ein gutes neues Lebensjahr.",
        ],
      },
    },
  },
  trial_ends: {
    name: "Testphase endet",
    description:
      "Schreibt drei Tage und einen Tag vor dem Tag im Feld trial_ends; das Ereignis subscribed beendet die Serie.",
    mails: {
      soon: {
        subject: "Deine Testphase endet in drei Tagen",
        heading: "Noch drei Tage",
        paragraphs: [
          HI,
          "deine Testphase bei {brand} endet in drei Tagen. Wähle vorher einen Tarif, damit alles bleibt, wie es ist.",
          "Noch unsicher? Antworte mit deiner Frage, und wir klären sie gemeinsam.",
        ],
      },
      tomorrow: {
        subject: "Deine Testphase endet morgen",
        heading: "Noch ein Tag",
        paragraphs: [
          HI,
          "deine Testphase endet morgen. Wenn du heute einen Tarif wählst, ändert sich für dich nichts.",
          "Wenn du dich dagegen entscheidest, wüssten wir gern, warum: Ein Satz hilft uns sehr.",
        ],
      },
    },
  },
  review_request: {
    name: "Bitte um eine Bewertung",
    description: "Bittet eine Woche nach dem Ereignis order_delivered um eine Bewertung.",
    mails: {
      ask: {
        subject: "Wie gefällt dir deine Bestellung?",
        heading: "Wie gefällt sie dir?",
        paragraphs: [
          HI,
          "deine Bestellung ist seit einer Woche bei dir. Bist du zufrieden?",
          "Antworte mit ein paar Worten. Wenn etwas nicht stimmt, bringen wir es in Ordnung.",
        ],
      },
      again: {
        subject: "Eine Minute für deine Meinung?",
        heading: "Eine Minute für deine Meinung?",
        paragraphs: [
          HI,
          "wir wüssten immer noch gern, wie dir deine Bestellung gefällt. Danach fragen wir nicht noch einmal.",
        ],
      },
    },
  },
  sunset: {
    name: "Abschied von Inaktiven",
    description:
      "Fragt Leute, die nie eine E-Mail öffnen, ob sie bleiben wollen, und markiert die, die nicht reagieren. Wähle ein Segment wie „not opened:180d“.",
    mails: {
      stay: {
        subject: "Möchtest du unsere E-Mails noch?",
        heading: "Möchtest du unsere E-Mails noch?",
        paragraphs: [
          HI,
          "du hast unsere E-Mails lange nicht geöffnet. Wir wollen nur Leuten schreiben, die uns gern lesen.",
          "Wenn du bleiben möchtest, öffne diese E-Mail oder antworte darauf.",
        ],
      },
      last: {
        subject: "Wir verabschieden uns",
        heading: "Bis auf Weiteres",
        paragraphs: [
          HI,
          "wir haben nichts von dir gehört und schreiben dir deshalb nicht mehr. Wenn du es dir anders überlegst, antworte auf diese E-Mail, und du bist wieder dabei.",
        ],
      },
    },
  },
};
