export { createApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";
export type { ListedKey } from "./queries.ts";
