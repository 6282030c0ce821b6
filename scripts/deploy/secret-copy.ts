import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "../command-line.ts";

/** Directory of the copies; ignored by git. */
const DIRECTORY = ".secrets";

/** Returns the file with the secrets of one Worker in one account. */
export function secretCopyFile(directory: string, worker: string, accountId: string): string {
  return join(directory, DIRECTORY, `${worker}-${accountId}.json`);
}

/** Reads the copy; empty if there is none. Throws OperatorError for a malformed file. */
export function readSecretCopy(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const value = parse(readFileSync(file, "utf8"));
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : undefined;
  if (!entries?.every((entry): entry is [string, string] => typeof entry[1] === "string")) {
    throw new OperatorError(`${file} is not a JSON object of strings: repair it or move it away`);
  }
  return Object.fromEntries(entries);
}

/**
 * Adds secrets to the copy. The file is readable only by its owner, and replaced atomically, so
 * that an interrupted run loses nothing.
 */
export function writeSecretCopy(file: string, added: Record<string, string>): void {
  const all = { ...readSecretCopy(file), ...added };
  const unfinished = `${file}.new`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(unfinished, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600); // a leftover file of an interrupted run keeps its own mode
  renameSync(unfinished, file);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller rejects anything but an object of strings.
    return undefined;
  }
}
