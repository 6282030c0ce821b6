/*
 * Sources: Supabase, "Send Email Hook"; supabase/auth, internal/api/mail.go (the tokens of a changed
 * address) and internal/mailer (the confirmation URL).
 */
import { z } from "zod";
import { HOOK_ACTIONS, type HookTemplates } from "../../db/schema/index.ts";
import { refusal } from "../../errors.ts";
import { AUTH_ACTIONS } from "../../lib/auth-actions.ts";
import { LANGUAGES, type Language } from "../../lib/languages.ts";
import { authMail } from "../../mail/system-templates/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { audienceSettingsOf } from "../projects/index.ts";
import { builtInTemplate, renderMail, type MailTemplate } from "../templates/index.ts";
import {
  callWithEvent,
  jsonOf,
  readBody,
  recipientIn,
  type HookCall,
  type HookMail,
} from "./hook-mail.ts";

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? "");

const call = z.object({
  user: z.object({
    email: text,
    new_email: text,
    user_metadata: z
      .record(z.string(), z.unknown())
      .nullish()
      .transform((given) => given ?? {}),
  }),
  email_data: z.object({
    email_action_type: z.string(),
    token: text,
    token_hash: text,
    token_new: text,
    token_hash_new: text,
    redirect_to: text,
    site_url: z.url({ protocol: /^https?$/ }),
    old_email: text,
    old_phone: text,
    provider: text,
    factor_type: text,
  }),
});
type Call = z.output<typeof call>;

/** The hook before a user is created. */
const newUser = z.object({
  metadata: z.object({ name: z.literal("before-user-created"), time: text }),
  user: z.object({ id: text, email: text }),
});

/** Returns the event of a new user; undefined for another call. */
function newUserIn(bytes: Uint8Array): HookCall | undefined {
  const { data } = newUser.safeParse(jsonOf(bytes));
  if (!data) return undefined;
  const { user, metadata } = data;
  const at = Date.parse(metadata.time);
  const event = {
    name: "supabase.user.created",
    data: { id: user.id },
    at: Number.isNaN(at) ? undefined : at,
  };
  return callWithEvent(event, user.email);
}

/** Reads a call of either hook. Throws as `mailsIn`. */
export const readSupabase = (
  bytes: Uint8Array,
  project: ProjectRow,
  templates: HookTemplates,
): HookCall => newUserIn(bytes) ?? { mails: mailsIn(bytes, project, templates), events: [] };

/**
 * Returns the emails of a call: two for an address whose change both mailboxes confirm. Throws
 * invalid_hook_body, and hook_action_without_template for a notice without a template.
 */
function mailsIn(bytes: Uint8Array, project: ProjectRow, templates: HookTemplates): HookMail[] {
  const given = readBody(call, bytes);
  const { user, email_data: data } = given;
  const action = data.email_action_type;
  const known = HOOK_ACTIONS.find((one) => one === action);
  const templateId = known && templates[known];
  const own = AUTH_ACTIONS.find((one) => one === action);
  const language = languageOf(user.user_metadata, project);
  const builtIn: MailTemplate | undefined =
    own && builtInTemplate(project, `auth:${own}:${language}`, authMail(own, language));
  if (!builtIn && templateId === undefined)
    throw refusal("hook_action_without_template", { action });
  return mailsOf(given).map(({ to, token, hash }) => ({
    to,
    templateId,
    action,
    render(template = builtIn) {
      if (!template) throw refusal("hook_action_without_template", { action });
      const { token_new: _new, token_hash_new: _hash, ...others } = data;
      return renderMail(template, {
        ...others,
        action,
        token,
        token_hash: hash,
        confirmation_url: confirmationUrl(data, hash),
        email: user.email,
        new_email: user.new_email,
        data: user.user_metadata,
        language,
        product_name: project.name,
      });
    },
  }));
}

/** Returns the recipients of a call with their tokens. */
function mailsOf({ user, email_data: data }: Call) {
  const { token, token_hash: hash } = data;
  const recipient = recipientIn;
  switch (data.email_action_type) {
    case "email_change": {
      // The names of the tokens are the wrong way round, for compatibility: `token` and
      // `token_hash_new` are those of the present address.
      const next = { to: recipient("user.new_email", user.new_email), hash };
      if (data.token_hash_new === "") return [{ ...next, token: data.token_new || token }];
      const present = { to: recipient("user.email", user.email), token, hash: data.token_hash_new };
      return [{ ...next, token: data.token_new }, present];
    }
    case "email_changed_notification":
      return [{ to: recipient("email_data.old_email", data.old_email), token, hash }];
    default:
      return [{ to: recipient("user.email", user.email), token, hash }];
  }
}

const API = "/auth/v1";

/**
 * Returns the URL that Supabase's own templates call `ConfirmationURL`; "" for an email without a
 * link. `site_url` is the URL of the authentication API, with or without its path.
 */
function confirmationUrl(
  { site_url, redirect_to, email_action_type: type }: Call["email_data"],
  token: string,
): string {
  if (token === "" || type === "reauthentication") return "";
  const url = new URL(site_url);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = `${path.endsWith(API) ? path : path + API}/verify`;
  url.search = new URLSearchParams({ token, type, redirect_to }).toString();
  return url.href;
}

/** Returns the language of the user's metadata, otherwise that of the project. */
function languageOf(metadata: Record<string, unknown>, project: ProjectRow): Language {
  const given = ["locale", "lang", "language"].map((name) =>
    String(Object.hasOwn(metadata, name) ? metadata[name] : "")
      .slice(0, 2)
      .toLowerCase(),
  );
  return LANGUAGES.find((one) => given.includes(one)) ?? audienceSettingsOf(project).language;
}
