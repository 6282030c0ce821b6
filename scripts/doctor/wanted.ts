import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ServiceConfig } from "../cloudflare/service-config.ts";

/** Bindings that the program uses; a test compares them with wrangler.toml. */
export const USED_BINDINGS = [
  "DB",
  "KV",
  "IMAGES",
  "PROJECT_SENDER",
  "WAKE_QUEUE",
  "TRACKING_QUEUE",
  "WEBHOOK_QUEUE",
  "BOUNCE_QUEUE",
];

/** Returns the names of all migrations of this checkout, in order. */
export function wantedMigrations(directory: string, config: ServiceConfig): string[] {
  const files = readdirSync(join(directory, config.database.migrationsDir));
  return files.filter((name) => name.endsWith(".sql")).toSorted();
}
