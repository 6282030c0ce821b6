import { randomBytes } from "node:crypto";
import { appendFileSync, chmodSync, closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

const GENERATED_SECRETS: Record<string, () => string> = {
  JWT_SECRET: () => randomBytes(32).toString("base64url"),
  ENCRYPTION_KEY: () => randomBytes(32).toString("base64"),
  SETUP_TOKEN: () => randomBytes(24).toString("base64url"),
};

/**
 * Reads `.dev.vars` after adding missing or empty local secrets (mode 600, existing lines
 * unchanged). Returns every name and value; the last duplicate wins.
 */
export function loadDevVars(file: string): Record<string, string> {
  const known = existsSync(file) ? readDevVars(file) : {};
  const missing = Object.entries(GENERATED_SECRETS).filter(([name]) => !known[name]);
  if (missing.length === 0) return known;
  const lines = missing.map(([name, generate]) => `${name}=${generate()}\n`);
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600); // a copy of .dev.vars.example keeps that file's mode
  const separator = /(^|\n)$/.test(readFileSync(file, "utf8")) ? "" : "\n";
  appendFileSync(file, separator + lines.join(""));
  // Reads the file back, so that concurrent first starts both use the last lines.
  return readDevVars(file);
}

function readDevVars(file: string): Record<string, string> {
  const text = readFileSync(file, "utf8");
  const parsed = parseEnv(text.replace(/^\uFEFF/, "")); // the BOM of editors on Windows
  return Object.fromEntries(
    Object.entries(parsed).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
