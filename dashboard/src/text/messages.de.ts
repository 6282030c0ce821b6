import type { HOSTS } from "../../../src/messages/hosts.ts";
import type { LISTS } from "../../../src/messages/lists.ts";
import { GERMAN_FAULTS } from "./faults.de.ts";
import { GERMAN_FIELDS } from "./field-names.de.ts";
import { addGerman } from "./messages.ts";
import { GERMAN_ACCESS } from "./refusals/access.de.ts";
import { GERMAN_AUDIENCE } from "./refusals/audience.de.ts";
import { GERMAN_AUTOMATIONS } from "./refusals/automations.de.ts";
import { GERMAN_BROADCASTS } from "./refusals/broadcasts.de.ts";
import { GERMAN_IMAGES } from "./refusals/images.de.ts";
import { GERMAN_OPERATIONS } from "./refusals/operations.de.ts";
import { GERMAN_REPORTS } from "./refusals/reports.de.ts";
import { GERMAN_REQUEST } from "./refusals/request.de.ts";
import { GERMAN_SENDING } from "./refusals/sending.de.ts";
import { GERMAN_PROJECTS } from "./refusals/projects.de.ts";

const GERMAN_LISTS: Record<keyof typeof LISTS, string> = {
  and_more: "{names} und {count} weitere",
};

const GERMAN_HOSTS: Record<keyof typeof HOSTS, string> = {
  host_invalid: "Der Host ist weder ein gültiger Name noch eine gültige Adresse",
  host_not_public: "Der Host ist keine öffentliche Adresse",
  host_incomplete: "Der Host ist kein vollständiger Domainname",
  host_of_private_network: "Der Host ist ein Name eines privaten Netzes",
  host_of_cloudflare:
    "Er gehört zu Cloudflare, und dessen eigene Adressen sind für Workers nicht erreichbar",
  url_invalid: "Die URL ist ungültig",
  url_not_web: "Die URL muss mit https:// oder http:// beginnen",
  url_with_credentials: "Die URL darf weder Benutzernamen noch Passwort enthalten",
};

/** German messages that any page may show; loaded along with the German texts of any page. */
export const GERMAN_MESSAGES = {
  ...GERMAN_FAULTS,
  ...GERMAN_LISTS,
  ...GERMAN_HOSTS,
  ...GERMAN_REQUEST,
  ...GERMAN_OPERATIONS,
  ...GERMAN_BROADCASTS,
  ...GERMAN_AUTOMATIONS,
  ...GERMAN_SENDING,
  ...GERMAN_REPORTS,
  ...GERMAN_ACCESS,
  ...GERMAN_AUDIENCE,
  ...GERMAN_PROJECTS,
  ...GERMAN_IMAGES,
};

addGerman(GERMAN_MESSAGES);
addGerman(GERMAN_FIELDS);
