/*
 * Gives each test file a fresh world. Files of one worker share its runtime, so the set-up deletes
 * every database, namespace, queue and object that an earlier file left behind.
 */
import { applyD1Migrations, env, reset } from "cloudflare:test";
import { CREATE_LOGGED_MAILS } from "./logged-mails.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_MIGRATIONS: Parameters<typeof applyD1Migrations>[1];
    }
  }
}

/**
 * Drops every view and table, with its triggers, that a reset left: it keeps a database that an earlier file still works on, and
 * a file that finds the accounts of another fails.
 */
async function dropTables(): Promise<void> {
  const { results } = await env.DB.prepare(
    `select type, name from sqlite_master where type in ('trigger', 'view', 'table')
        and name not like 'sqlite_%' and name not like '_cf_%'
      order by type = 'table', type = 'view'`, // a trigger without its table fails each statement
  ).all<{ type: string; name: string }>();
  const drops = results.map(({ type, name }) => env.DB.prepare(`drop ${type} if exists "${name}"`));
  if (drops.length > 0) await env.DB.batch(drops);
}

await reset();
await dropTables();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
await env.DB.batch(CREATE_LOGGED_MAILS.map((statement) => env.DB.prepare(statement)));
