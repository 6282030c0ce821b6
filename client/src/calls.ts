/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** The `Idempotency-Key` of a call that takes one; each call has a random one by default. */
  idempotencyKey?: string;
  /** The `ETag` that the thing must still have; another one is refused with 412. */
  ifMatch?: string;
  headers?: Record<string, string>;
  /** Receives the answer with its headers, for example its `ETag`. */
  onResponse?: (response: Response) => void;
}

/** Leaves the arguments out if there are none to give. */
type Given<Args> = object extends Args
  ? [args?: Args, options?: CallOptions]
  : [args: Args, options?: CallOptions];

/** A call of the API. */
export type Call<Args, Answer> = (...given: Given<Args>) => Promise<Answer>;

/** A call that answers a page of a list; `all` reads the pages one after the other. */
export interface PagedCall<Args, Answer, Entry> extends Call<Args, Answer> {
  all: (...given: Given<Omit<Args, "after" | "offset">>) => AsyncGenerator<Entry, void>;
}
