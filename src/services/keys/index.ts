export { createApiKey, listApiKeys, revokeApiKey, type ApiKeyInput } from "./api-keys.ts";
export type { ApiKeyRow } from "./queries.ts";
