import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the runner must know again at the next start on the same state. */
export interface LocalMemory {
  ownerEmail?: string;
  /** Only a password made up by the runner is kept; one from OWNER_PASSWORD is not ours to store. */
  madeUpPassword?: string;
  projectId?: string;
  apiKey?: RememberedKey;
  publicKey?: RememberedKey;
}

/** A key of the demo project, which the service itself shows only once. */
export interface RememberedKey {
  id: string;
  projectId: string;
  key: string;
}

const MEMORY_FILE = "postrider-local.json";

/** Reads what earlier starts on this state remembered; nothing at the first one. */
export function readMemory(stateDir: string): LocalMemory {
  const file = join(stateDir, MEMORY_FILE);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/** Adds to what is remembered, in one step and readable by its owner alone. */
export function remember(stateDir: string, news: LocalMemory): void {
  const file = join(stateDir, MEMORY_FILE);
  const memory = { ...readMemory(stateDir), ...news };
  writeFileSync(`${file}.new`, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
