/*
 * Gives each test file a fresh world. Files of one worker share its runtime, so the set-up deletes
 * every database, namespace, queue and object that an earlier file left behind.
 */
import { applyD1Migrations, env, reset } from "cloudflare:test";

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_MIGRATIONS: D1Migration[];
    }
  }
}

type D1Migration = Parameters<typeof applyD1Migrations>[1][number];

await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
