import type { BatchItem } from "drizzle-orm/batch";
import type { PreparedQuery } from "drizzle-orm/session";

/** A statement that runs only as part of a batch. */
export type Statement = BatchItem<"sqlite">;

/** A statement for a batch that cannot be awaited on its own. */
export type InBatch<Built extends Statement> = Pick<Built, "_">;

/** Results of statements, in order. An untyped statement yields `unknown`. */
export type BatchResults<Statements extends readonly Statement[]> = {
  -readonly [Index in keyof Statements]: BatchResult<Statements[Index]>;
};

type BatchResult<S> = S extends { _: { result: infer Result } } ? NotAny<Result> : unknown;

/** Maps `any` to `unknown`: only for `any` does 0 extend the intersection. */
type NotAny<T> = 0 extends 1 & T ? unknown : T;

/** The method that every drizzle statement in a batch has; drizzle's types omit it. */
export interface Preparable {
  _prepare(): PreparedQuery;
}
