import { createClient } from "../../../client/src/index.ts";

export { PostriderError } from "../../../client/src/index.ts";
export type { Client } from "../../../client/src/index.ts";
/** The calls and the named schemas of the API. */
export type * as Api from "../../../client/src/types.ts";

/**
 * The API of this service. The session is a cookie of the same origin. Reads are repeated twice,
 * and so are writes that carry an idempotency key.
 */
export const api = createClient({ baseUrl: location.origin, maxWaitSeconds: 3 });
