import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  lead: "Supabase Auth und Clerk können die E-Mails übergeben, mit denen man sich anmeldet. Dieses Projekt verschickt sie, ohne Tracking. Sie und Stripe können Ereignisse von Personen melden.",
  hidden: "Die URLs sind geheim. Nur Rollen, die das Projekt ändern dürfen, sehen sie.",
  url: "URL",
  steps: {
    supabase: [
      "Öffne in Supabase „Authentication“, dann „Hooks“, und füge den Hook „Send Email“ vom Typ HTTPS hinzu.",
      "Füge dort diese URL ein, erzeuge ein Secret, und speichere den Hook.",
      "Speichere dasselbe Secret hier, und registriere dich dann mit einer Testadresse.",
      "Für das Ereignis „supabase.user.created“ füge den Hook „Before User Created“ mit derselben URL und demselben Secret hinzu.",
    ],
    clerk: [
      "Öffne in Clerk „Webhooks“, und füge einen Endpunkt mit dieser URL und dem Ereignis „email.created“ hinzu.",
      "Speichere sein Signing Secret hier.",
      "Schalte unter „Customization“, dann „Emails“ für jede E-Mail „Delivered by Clerk“ aus.",
      "Füge dem Endpunkt „user.created“ und andere hinzu, um Ereignisse wie „clerk.user.created“ zu bekommen.",
    ],
    stripe: [
      "Öffne in Stripe „Developers“, dann „Webhooks“, und füge einen Endpunkt mit dieser URL hinzu.",
      "Wähle die Ereignisse, auf die es ankommt, wie „invoice.paid“. Daraus wird „stripe.invoice.paid“ für die Adresse des Kunden.",
      "Speichere sein Signing Secret hier. Ereignisse unbekannter Personen werden weggelassen, außer die URL endet mit ?create=active oder ?create=pending.",
    ],
  },
  secret: "Secret",
  secretHint: "Beginnt mit v1,whsec_ oder whsec_. Ohne Secret wird jeder Aufruf abgelehnt.",
  secretSaved: "Ein Secret ist gespeichert. Ein neues ersetzt es, ein leeres Feld entfernt es.",
  saveSecret: "Secret speichern",
  lastCall: "Letzter Aufruf",
  worked: "erfolgreich",
  failed: "fehlgeschlagen",
  templates: "Vorlagen",
  templatesHint:
    "Jede E-Mail kann eine Vorlage dieses Projekts nutzen. Ihr Link ist {{confirmation_url}}, ihr Code {{token}}.",
  saveTemplates: "Vorlagen speichern",
  builtIn: "Mitgelieferte E-Mail",
  none: "Keine: der Aufruf schlägt fehl",
  actions: {
    signup: "Registrierung",
    invite: "Einladung",
    magiclink: "Anmeldelink",
    recovery: "Passwort zurücksetzen",
    email_change: "Geänderte Adresse",
    reauthentication: "Bestätigungscode",
    password_changed_notification: "Hinweis: Passwort geändert",
    email_changed_notification: "Hinweis: Adresse geändert",
    phone_changed_notification: "Hinweis: Telefonnummer geändert",
    identity_linked_notification: "Hinweis: Anmeldeweg hinzugefügt",
    identity_unlinked_notification: "Hinweis: Anmeldeweg entfernt",
    mfa_factor_enrolled_notification: "Hinweis: zweiter Faktor hinzugefügt",
    mfa_factor_unenrolled_notification: "Hinweis: zweiter Faktor entfernt",
  },
  rotate: "URL ändern",
  rotateTitle: "URL ändern?",
  rotateWords: (service, sendsEmails) =>
    `Die alte URL funktioniert sofort nicht mehr, und ${sendsEmails ? "niemand bekommt Anmelde-E-Mails" : "kein Ereignis kommt an"}, bis du die neue in ${service} einträgst.`,
  rotated: "Die URL wurde geändert.",
};
