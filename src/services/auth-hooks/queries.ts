import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { authHooks, projects, type HookService } from "../../db/schema/index.ts";
import type { Message } from "../../messages/message.ts";
import { projectExists } from "../projects/index.ts";

export type HookRow = typeof authHooks.$inferSelect;

const isHook = (projectId: string, service: HookService) =>
  and(eq(authHooks.projectId, projectId), eq(authHooks.service, service));

/** Selects the hook of a project: at most one row. */
export function selectHook(db: Database, projectId: string, service: HookService) {
  return db.select().from(authHooks).where(isHook(projectId, service));
}

const hasToken = (service: HookService, tokenHash: string) =>
  and(eq(authHooks.tokenHash, tokenHash), eq(authHooks.service, service));

/** Selects the hook with a token: at most one row. */
export function selectHookByToken(db: Database, service: HookService, tokenHash: string) {
  return db.select().from(authHooks).where(hasToken(service, tokenHash));
}

/** Selects the project of the hook with a token: at most one row. */
export function selectHookProject(db: Database, service: HookService, tokenHash: string) {
  const id = db
    .select({ id: authHooks.projectId })
    .from(authHooks)
    .where(hasToken(service, tokenHash));
  return db.select().from(projects).where(eq(projects.id, id));
}

/** The token of a hook, as it is stored. */
export type NewHook = Pick<HookRow, "projectId" | "service" | "tokenHash" | "tokenSealed">;

/** Stores the hook of an existing project. An existing hook stays, or gets the new token. */
export function insertHook(db: Database, hook: NewHook, conflict: "keep" | "replace") {
  const { projectId, service, tokenHash, tokenSealed } = hook;
  const change =
    conflict === "keep"
      ? sql`nothing`
      : sql`update set token_hash = excluded.token_hash, token_sealed = excluded.token_sealed`;
  return db.run(
    sql`insert into auth_hooks (project_id, service, token_hash, token_sealed, templates)
      select ${projectId}, ${service}, ${tokenHash}, ${tokenSealed}, '{}' where ${projectExists(projectId)}
      on conflict (project_id, service) do ${change}`,
  );
}

export type HookSettings = Partial<Pick<HookRow, "secretSealed" | "templates">>;

/** Changes the given settings, and forgets the outcome of a call with the former ones. */
export function updateHook(
  db: Database,
  projectId: string,
  service: HookService,
  change: HookSettings,
) {
  return db
    .update(authHooks)
    .set({ ...change, lastCalledAt: null, lastError: null })
    .where(isHook(projectId, service));
}

/** Records a call. */
export function noteCall(
  db: Database,
  { projectId, service }: HookRow,
  lastCalledAt: number,
  lastError: Message | null,
) {
  return db.update(authHooks).set({ lastCalledAt, lastError }).where(isHook(projectId, service));
}

/** Selects those of the ids that are templates of the project. */
export function selectOwnTemplates(db: Database, projectId: string, ids: string[]) {
  return db.all<{ id: string }>(
    sql`select id from templates where project_id = ${projectId}
      and id in (select value from json_each(${JSON.stringify(ids)}))`,
  );
}
