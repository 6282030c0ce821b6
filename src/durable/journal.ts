/*
 * What the sender of a project has on its way, in the storage of its object. A mail is recorded as
 * begun before its content is handed to a socket, and with its outcome after that. So the next
 * instance of the object knows about every mail that a crash left: begun without an outcome is
 * "outcome unknown", and an outcome that D1 does not have yet is recorded then.
 */
import type { JournalWork, Left, MailJournal } from "../services/mailing/index.ts";

/** The number of rows in use: an entry overwrites the one that is this many writes older. */
const SLOTS = 256;

/** The journal of a sender: one row for each group of mails, and one for the work in hand. */
export class Journal implements MailJournal {
  readonly #storage: DurableObjectStorage;
  #last: number;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    const { sql } = storage;
    sql.exec(
      "create table if not exists journal (slot integer primary key, n integer not null, entry text not null)",
    );
    sql.exec(
      "create table if not exists journal_work (id integer primary key, work text, after integer not null)",
    );
    const last =
      "select coalesce(max(n), 0) as n from (select n from journal union all select after from journal_work)";
    this.#last = Number(sql.exec(last).one()["n"]);
  }

  get last(): number {
    return this.#last;
  }

  get spare(): number {
    return SLOTS;
  }

  async write(entry: string): Promise<number> {
    const n = (this.#last += 1);
    this.#storage.sql.exec(
      "insert or replace into journal (slot, n, entry) values (?, ?, ?)",
      n % SLOTS,
      n,
      entry,
    );
    await this.#storage.sync();
    return n;
  }

  begin(work: JournalWork): void {
    this.#storage.sql.exec(
      "insert or replace into journal_work (id, work, after) values (1, ?, ?)",
      JSON.stringify(work),
      this.#last,
    );
  }

  end(): void {
    const { sql } = this.#storage;
    sql.exec(
      "insert or replace into journal_work (id, work, after) values (1, null, ?)",
      this.#last,
    );
    sql.exec("delete from journal"); // the outcomes hold addresses
  }

  left(): Left | undefined {
    const { sql } = this.#storage;
    const [row] = sql.exec<{ work: string; after: number }>(
      "select work, after from journal_work where work is not null",
    );
    if (!row) return undefined;
    const entries = sql
      .exec<{ n: number; entry: string }>(
        "select n, entry from journal where n > ? order by n",
        row.after,
      )
      .toArray();
    return { work: JSON.parse(row.work) as JournalWork, entries };
  }
}
