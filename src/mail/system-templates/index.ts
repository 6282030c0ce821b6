import type { Language } from "../../lib/languages.ts";
import { CREDENTIALS } from "./credentials.ts";
import { PURCHASE_CONFIRMATION } from "./purchase-confirmation.ts";
import type { SystemTemplate } from "./system-template.ts";
import { VERIFICATION } from "./verification.ts";
import { welcomeTemplate } from "./welcome.ts";

export { branded } from "./layout.ts";
export { authMail, linkMail, type LinkMail } from "./link-mails.ts";
export {
  ADDRESS_CONFIRMATION,
  INVITATION,
  OWNER_NOTICE,
  PASSWORD_RESET,
  type ServiceTemplate,
} from "./service-mails.ts";
export { seriesMail } from "./series-mail.ts";
export type { SystemTemplate } from "./system-template.ts";

/**
 * Built-in templates by name. The key-based API uses one if a project has no template of that name.
 * Source: API reference §10.4.
 */
export const SYSTEM_TEMPLATES: ReadonlyMap<string, SystemTemplate> = new Map(
  [VERIFICATION, welcomeTemplate("en"), PURCHASE_CONFIRMATION, CREDENTIALS].map((template) => [
    template.name,
    template,
  ]),
);

/** Returns a built-in template by name: the welcome in a language, and the others in English. */
export const systemTemplate = (name: string, language: Language): SystemTemplate | undefined =>
  name === "welcome" ? welcomeTemplate(language) : SYSTEM_TEMPLATES.get(name);
