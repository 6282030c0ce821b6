import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { AUTH_ACTIONS } from "../../lib/auth-actions.ts";
import type { Message } from "../../messages/message.ts";
import { timestamp } from "./columns.ts";

/** Services that hand over their emails, or report events of people. */
export const HOOK_SERVICES = ["supabase", "clerk", "stripe"] as const;
export type HookService = (typeof HOOK_SERVICES)[number];

/** All emails of Supabase Auth; notices need a template of the project. */
export const HOOK_ACTIONS = [
  ...AUTH_ACTIONS,
  "password_changed_notification",
  "email_changed_notification",
  "phone_changed_notification",
  "identity_linked_notification",
  "identity_unlinked_notification",
  "mfa_factor_enrolled_notification",
  "mfa_factor_unenrolled_notification",
] as const;
type HookAction = (typeof HOOK_ACTIONS)[number];

/** Ids of the project's templates for these emails. */
export type HookTemplates = Partial<Record<HookAction, string>>;

/** A URL to which a service posts; one per project and service. */
export const authHooks = sqliteTable(
  "auth_hooks",
  {
    projectId: text("project_id").notNull(),
    service: text({ enum: HOOK_SERVICES }).notNull(),
    /** SHA-256 of the token in the URL. */
    tokenHash: text("token_hash").notNull().unique(),
    /** Sealed with the context `project:<id>:<service>_hook_token`. */
    tokenSealed: text("token_sealed").notNull(),
    /** Sealed with the context `project:<id>:<service>_hook_secret`; "" accepts no call. */
    secretSealed: text("secret_sealed").notNull().default(""),
    templates: text({ mode: "json" }).$type<HookTemplates>().notNull(),
    /** The last call with the right token, and the reason why it failed. */
    lastCalledAt: timestamp(),
    lastError: text("last_error", { mode: "json" }).$type<Message>(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.service] })],
);
