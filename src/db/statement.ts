import type { BatchItem } from "drizzle-orm/batch";
import type { PreparedQuery } from "drizzle-orm/session";

/** A statement that runs only as part of a batch. */
export type Statement = BatchItem<"sqlite">;

/** A statement that a batch runs, and nobody awaits by itself. */
export type InBatch<Built extends Statement> = Pick<Built, "_">;

/** The results of statements, in their order. The result of an untyped statement is `unknown`. */
export type BatchResults<Statements extends readonly Statement[]> = {
  -readonly [Index in keyof Statements]: BatchResult<Statements[Index]>;
};

type BatchResult<S> = S extends { _: { result: infer Result } } ? NotAny<Result> : unknown;

/** Turns `any` into `unknown`: only `any` makes an intersection that 0 extends. */
type NotAny<T> = 0 extends 1 & T ? unknown : T;

/** The form of every drizzle statement inside a batch; drizzle's types omit this method. */
export interface Preparable {
  _prepare(): PreparedQuery;
}
