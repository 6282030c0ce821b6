export interface CallOptions {
  signal?: AbortSignal;
  /** The `Idempotency-Key` of a call that supports one; random for each call by default. */
  idempotencyKey?: string;
  /** The expected `ETag` of the resource; if it no longer matches, the call fails with 412. */
  ifMatch?: string;
  headers?: Record<string, string>;
  /** Receives the response with its headers, such as `ETag`. */
  onResponse?: (response: Response) => void;
}

/** Makes the arguments optional if none are required. */
type Given<Args> = object extends Args
  ? [args?: Args, options?: CallOptions]
  : [args: Args, options?: CallOptions];

/** A call of the API. */
export type Call<Args, Answer> = (...given: Given<Args>) => Promise<Answer>;

/** A call that returns a page of a list; `all` iterates over the entries of all pages. */
export interface PagedCall<Args, Answer, Entry> extends Call<Args, Answer> {
  all: (...given: Given<Omit<Args, "after" | "offset">>) => AsyncGenerator<Entry, void>;
}
