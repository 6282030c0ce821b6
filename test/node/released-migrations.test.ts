/* Migrations only go forward: a database that has applied one never applies its changes. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/lib/hash.ts";
import released from "./released-migrations.json" with { type: "json" };

describe("a released migration", () => {
  it.each(Object.entries(released))("never changes: %s", (name, hash) => {
    const file = join("migrations", name);
    const found = existsSync(file) ? sha256Hex(readFileSync(file, "utf8")) : "no file";
    const fault = `${file} is released: restore it, and add a new migration (npm run db:generate)`;
    expect(found, fault).toBe(hash);
  });
});
