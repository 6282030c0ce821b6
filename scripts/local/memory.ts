import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../command-line.ts";

/** Data kept between starts on the same state directory. */
export interface LocalMemory {
  ownerEmail?: string;
  /** Email of an interrupted registration: the account may exist. */
  triedEmail?: string | undefined;
  /** A generated password; one from OWNER_PASSWORD is not stored. */
  madeUpPassword?: string;
  projectId?: string;
  apiKey?: RememberedKey;
  publicKey?: RememberedKey;
  /** The welcome series of the demo project; nobody gets another if they delete it. */
  automationId?: string;
}

/** A key of the demo project; the service itself shows it only once. */
export interface RememberedKey {
  id: string;
  projectId: string;
  key: string;
}

const MEMORY_FILE = "postrider-local.json";

/**
 * Reads the data of earlier starts on this state directory; empty on the first one. Throws
 * OperatorError for a corrupt file.
 */
export function readMemory(stateDir: string): LocalMemory {
  const file = join(stateDir, MEMORY_FILE);
  if (!existsSync(file)) return {};
  const memory = parse(readFileSync(file, "utf8"));
  if (typeof memory !== "object" || memory === null || Array.isArray(memory))
    throw new OperatorError(`${file} is not a JSON object: repair it or move it away`);
  return memory;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller rejects anything but an object.
    return undefined;
  }
}

/** Merges data in one atomic step; the file is readable only by its owner. */
export function remember(stateDir: string, news: LocalMemory): void {
  const file = join(stateDir, MEMORY_FILE);
  const memory = { ...readMemory(stateDir), ...news };
  writeFileSync(`${file}.new`, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
