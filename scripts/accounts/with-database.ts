import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { OperatorError } from "../command-line.ts";
import { exitOnSignals } from "../exit-on-signals.ts";
import { inTransaction, localDatabaseFile, openLocalDatabase } from "../local/local-database.ts";
import { startWrangler } from "../local/wrangler.ts";

/** The deployed database, or the local one in a state directory. */
export type DatabasePlace = { kind: "remote" } | { kind: "local"; stateDir: string };

/** Database access for operator commands. */
export interface OperatorDatabase {
  /** Runs one query without secrets and returns its rows. */
  query: <Row>(sql: string) => Promise<Row[]>;
  /** Runs statements without results in one transaction. */
  execute: (statements: string[]) => Promise<void>;
}

/** Opens a database for `work` and closes it afterwards. */
export async function withDatabase<T>(
  place: DatabasePlace,
  work: (database: OperatorDatabase) => Promise<T>,
): Promise<T> {
  if (place.kind === "remote") return work(remoteDatabase);
  const { stateDir } = place;
  let opened: DatabaseSync | undefined;
  const open = () => {
    if (!existsSync(localDatabaseFile(stateDir))) throw noTables();
    return (opened ??= openLocalDatabase(stateDir));
  };
  try {
    return await work(localDatabase(open));
  } finally {
    opened?.close();
  }
}

/** Opens the database on first use, because the doctor reports more than a missing database. */
const localDatabase = (open: () => DatabaseSync): OperatorDatabase => ({
  query: async <Row>(sql: string) => {
    const database = open();
    try {
      return database.prepare(sql).all() as Row[];
    } catch (error) {
      return explainFailure(error);
    }
  },
  execute: async (statements) => {
    const database = open();
    try {
      inTransaction(database, () => statements.forEach((sql) => database.exec(sql)));
    } catch (error) {
      explainFailure(error);
    }
  },
});

const remoteDatabase: OperatorDatabase = {
  query: async <Row>(sql: string) => readRows<Row>(await runWrangler(["--command", sql])),
  // wrangler receives statements in a private file, never on its command line, and Cloudflare runs
  // a file as one transaction.
  execute: async (statements) => {
    const directory = mkdtempSync(join(tmpdir(), "postrider-"));
    const file = join(directory, "statements.sql");
    const remove = () => rmSync(directory, { recursive: true });
    process.once("exit", remove);
    try {
      writeFileSync(file, `${statements.join("\n")}\n`, { mode: 0o600 });
      await runWrangler(["--file", file]);
    } finally {
      process.off("exit", remove);
      remove();
    }
  },
};

async function runWrangler(what: string[]): Promise<string> {
  const output: string[] = [];
  const args = ["d1", "execute", "DB", "--remote", "--json", "--yes", ...what];
  const leaveSignals = exitOnSignals(); // exiting also ends wrangler
  const { exited } = startWrangler(args, (line) => output.push(line));
  const status = await exited.finally(leaveSignals);
  const text = output.join("\n");
  return status === 0 ? text : explainFailure(text);
}

const noTables = () =>
  new OperatorError(
    "this database has no tables yet: `npm start` creates the local one, `npm run deploy` the remote one",
  );

function explainFailure(failure: unknown): never {
  const text = String(failure);
  if (text.includes("no such table")) throw noTables();
  throw new OperatorError(`the database could not be used:\n${text}`);
}

/**
 * Parses the rows from wrangler's output for one query: a JSON array of results, after other lines.
 */
function readRows<Row>(answer: string): Row[] {
  const json = /^\[[^]*^\]/m.exec(answer)?.[0];
  if (!json) throw new Error(`wrangler answered without rows:\n${answer}`);
  const [result] = JSON.parse(json) as { results: Row[] }[];
  return result?.results ?? [];
}
