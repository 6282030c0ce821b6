/** Exact counts of database work since the last `reset`. */
export interface D1Count {
  database: D1Database;
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
  /** Runs before each round trip with its SQL; an error it throws fails the round trip. */
  before: ((sql: string[]) => unknown) | undefined;
  /**
   * Runs after each round trip and delays its answer; an error it throws loses the answer, not the
   * write.
   */
  after: ((sql: string[]) => unknown) | undefined;
  /** Runs after each round trip with the rows that it has written. */
  counted: ((sql: string[], rowsWritten: number) => unknown) | undefined;
  reset: () => void;
}

const inner = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; sql: string }>();

/** Wraps a D1 database so that a test can count what it costs and make it fail. */
export function countingD1(real: D1Database): D1Count {
  const count: D1Count = {
    database: real,
    roundTrips: 0,
    rowsRead: 0,
    rowsWritten: 0,
    before: undefined,
    after: undefined,
    counted: undefined,
    reset: () => Object.assign(count, { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }),
  };
  const trip = async <T>(sql: string[], run: () => Promise<T>): Promise<T> => {
    await count.before?.(sql);
    count.roundTrips += 1;
    const result = await run();
    let written = 0;
    for (const part of Array.isArray(result) ? result : [result]) {
      const meta = (part as { meta?: D1Meta } | null)?.meta;
      count.rowsRead += meta?.rows_read ?? 0;
      written += meta?.rows_written ?? 0;
    }
    count.rowsWritten += written;
    count.counted?.(sql, written);
    await count.after?.(sql);
    return result;
  };
  const wrap = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), sql),
      first: (...args: [string]) => trip([sql], () => statement.first(...args)),
      run: () => trip([sql], () => statement.run()),
      all: () => trip([sql], () => statement.all()),
      raw: (options: { columnNames: true }) => trip([sql], () => statement.raw(options)),
    } as D1PreparedStatement;
    inner.set(wrapped, { statement, sql });
    return wrapped;
  };
  count.database = {
    prepare: (sql: string) => wrap(real.prepare(sql), sql),
    batch: (statements: D1PreparedStatement[]) => {
      const parts = statements.map((statement) => {
        const part = inner.get(statement);
        if (!part) throw new Error("a statement of another database");
        return part;
      });
      return trip(
        parts.map(({ sql }) => sql),
        () => real.batch(parts.map(({ statement }) => statement)),
      );
    },
    exec: (sql: string) => trip([sql], () => real.exec(sql)),
  } as unknown as D1Database;
  return count;
}
