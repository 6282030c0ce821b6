/* Documentation of a route for OpenAPI (API reference §1.6). */

/** An example request; a test sends it. */
export interface Example<Body = unknown> {
  body?: Body;
  query?: Record<string, string>;
}

/** Required for every route; a route with a body also has an example. */
export interface Words {
  /** Operation id for clients, for example `projects.logs.list`. */
  operation: `${string}.${string}`;
  /** One sentence. */
  summary: string;
  /** True if the route supports `Idempotency-Key` (API reference §11.3). */
  takesIdempotencyKey?: true;
  /** True if the route supports `If-Match` with the `ETag` of a resource. */
  obeysIfMatch?: true;
  /** Error statuses that the declaration of the route does not imply. */
  refusals?: readonly (400 | 404 | 409 | 412 | 422 | 502)[];
  /** Other request headers that the route supports, with their meaning. */
  headers?: Readonly<Record<string, string>>;
  /** Description of a body without a schema. */
  freeBody?: string;
  /** Media type of that body if it is not JSON. */
  freeBodyType?: string;
  /** Media types of a successful response besides JSON. */
  otherTypes?: readonly string[];
  /** Media type of a successful response that is never JSON; the typed client omits such a call. */
  fileType?: string;
}

/** The example of a route, required if it has a body. */
export type Shown<Body> = unknown extends Body
  ? { example?: Example }
  : { example: Example & { body: unknown } };

/** Ids in examples; tests replace them with real ones. */
export const EXAMPLE_IDS = {
  project: "0199b1de-0000-7000-8000-000000000001",
  template: "0199b1de-0000-7000-8000-000000000002",
} as const;

/** The code that a person types for a device login, in examples. */
export const EXAMPLE_USER_CODE = "BCDF-GHJK";
/** An emailed token, or the code of a device, in examples. */
export const EXAMPLE_TOKEN = "x".repeat(43);
