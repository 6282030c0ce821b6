import { createClient } from "../../../client/src/index.ts";

export { PostriderError } from "../../../client/src/index.ts";
export type { Client } from "../../../client/src/index.ts";
/** Calls and named schemas of the API. */
export type * as Api from "../../../client/src/types.ts";

/**
 * The API of this service. The session is a same-origin cookie. Reads, and writes with an
 * idempotency key, are retried twice.
 */
export const api = createClient({ baseUrl: location.origin, maxWaitSeconds: 3 });
