import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperatorError } from "../command-line.ts";
import { startWrangler } from "../local/wrangler.ts";

/** The deployed database, or the local one in a state directory. */
export type DatabasePlace = { kind: "remote" } | { kind: "local"; stateDir: string };

/**
 * Runs statements without results; wrangler gets them in a private file, never on its command line.
 */
export async function executeStatements(place: DatabasePlace, statements: string[]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "postrider-"));
  const file = join(directory, "statements.sql");
  try {
    writeFileSync(file, `${statements.join("\n")}\n`, { mode: 0o600 });
    await runWrangler(place, ["--file", file]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs one query without secrets and returns wrangler's JSON output as text. */
export function queryDatabase(place: DatabasePlace, query: string): Promise<string> {
  return runWrangler(place, ["--command", query]);
}

async function runWrangler(place: DatabasePlace, what: string[]): Promise<string> {
  const where =
    place.kind === "remote" ? ["--remote"] : ["--local", "--persist-to", place.stateDir];
  const output: string[] = [];
  const args = ["d1", "execute", "DB", ...where, "--json", "--yes", ...what];
  const status = await startWrangler(args, (line) => output.push(line)).exited;
  const text = output.join("\n");
  if (status === 0) return text;
  if (text.includes("no such table")) {
    throw new OperatorError(
      "this database has no tables yet: `npm start` makes the local one, `npm run deploy` the remote",
    );
  }
  throw new OperatorError(`wrangler could not reach the database:\n${text}`);
}
