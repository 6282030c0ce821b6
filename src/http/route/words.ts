/* The words of a route in the OpenAPI document (API reference §1.6). */

/** An example of a request, which a test sends. */
export interface Example<Body = unknown> {
  body?: Body;
  query?: Record<string, string>;
}

/** Every route has these; one with a body also has an example. */
export interface Words {
  /** The name of the call for clients, for example `projects.logs.list`. */
  operation: `${string}.${string}`;
  /** One sentence. */
  summary: string;
  /** True when the route obeys an `Idempotency-Key` (API reference §11.3). */
  takesIdempotencyKey?: true;
  /** True when the route obeys an `If-Match` with the `ETag` of a thing. */
  obeysIfMatch?: true;
  /** The statuses of refusals that the declaration of the route does not imply. */
  refusals?: readonly (400 | 404 | 409 | 412 | 422 | 502)[];
  /** Other headers that the route obeys, with their meaning. */
  headers?: Readonly<Record<string, string>>;
  /** The meaning of a body that no schema describes. */
  freeBody?: string;
  /** The media type of that body if it is not JSON. */
  freeBodyType?: string;
  /** The media types of a successful answer besides JSON. */
  otherTypes?: readonly string[];
  /**
   * The media type of a successful answer that is never JSON; the typed client leaves such a call
   * out.
   */
  fileType?: string;
}

/** The example of a route, which a route with a body must have. */
export type Shown<Body> = unknown extends Body
  ? { example?: Example }
  : { example: Example & { body: unknown } };

/** The ids of examples; tests put those of real things in their places. */
export const EXAMPLE_IDS = {
  project: "0199b1de-0000-7000-8000-000000000001",
  template: "0199b1de-0000-7000-8000-000000000002",
} as const;

/** A mailed token of examples. */
export const EXAMPLE_TOKEN = "x".repeat(43);
