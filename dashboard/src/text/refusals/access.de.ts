import type { ACCESS } from "../../../../src/messages/refusals/access.ts";

/** German texts of errors about accounts, roles and workspaces (src/messages/refusals). */
export const GERMAN_ACCESS: Record<keyof typeof ACCESS, string> = {
  session_over: "Die Anmeldung ist abgelaufen. Melde dich wieder an",
  wrong_login: "E-Mail oder Passwort ist falsch",
  address_not_confirmed: "Bestätige zuerst deine E-Mail-Adresse",
  no_project_access: "Du hast keinen Zugang zu diesem Projekt",
  no_workspace_access: "Du hast keinen Zugang zu diesem Arbeitsbereich",
  no_workspace: "Du gehörst zu keinem Arbeitsbereich",
  role_lacks_capability: "Deine Rolle ({role}) erlaubt das nicht ({capability})",
  capability_not_held: "Dir fehlt das Recht {capability}, also auch deinen Schlüsseln",
  no_longer_owner: "Dieser Arbeitsbereich gehört dir nicht mehr",
  operator_required: "Das darf nur der Inhaber des ersten Kontos",
  project_settings_closed: "Du darfst die Einstellungen dieses Projekts nicht ändern",
  registration_closed:
    "Die Registrierung ist geschlossen. Bitte einen Inhaber dieses Dienstes um ein Konto",
  setup_token_unset: "Für das erste Konto muss SETUP_TOKEN gesetzt sein",
  wrong_setup_token: "Der Einrichtungsschlüssel ist falsch",
  accounts_by_invitation: "Dieser Dienst legt keine Konten für andere an. Lade sie ein",
  invitation_of_other: "Diese Einladung ist für {email}. Melde dich mit dieser Adresse an",
  email_registered: "Mit dieser E-Mail-Adresse gibt es schon ein Konto",
  has_account: "Mit dieser Adresse gibt es schon ein Konto. Melde dich an, um anzunehmen",
  address_confirmed_already: "Deine Adresse ist schon bestätigt",
  already_member: "Diese Person ist schon Mitglied des Arbeitsbereichs",
  already_invited:
    "Diese Adresse ist schon eingeladen. Sende die Einladung noch einmal oder ziehe sie zurück",
  too_many_access_tokens: "Du hast schon {max} Zugangstoken. Beende zuerst eines",
  last_owner: "Ein Arbeitsbereich braucht einen Inhaber: Gib zuerst jemand anderem diese Rolle",
  workspace_not_empty: "Der Arbeitsbereich hat noch Projekte: Lösche sie zuerst",
  invitation_over: "Diese Einladung gilt nicht mehr. Bitte um eine neue",
  link_over: "Dieser Link gilt nicht mehr. Fordere einen neuen an",
  user_code_over: "Dieser Code ist unbekannt oder nicht mehr gültig. Beginne die Anmeldung neu",
  authorization_pending: "Die Anmeldung ist noch nicht bestätigt",
  slow_down: "Zu viele Abfragen",
  access_denied: "Die Anmeldung wurde abgelehnt",
  expired_token: "Die Anmeldung ist abgelaufen",
};
