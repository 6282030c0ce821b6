import { applyD1Migrations, env } from "cloudflare:test";

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_MIGRATIONS: D1Migration[];
    }
  }
}

type D1Migration = Parameters<typeof applyD1Migrations>[1][number];

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
