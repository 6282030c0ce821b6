export { createApiKey, listApiKeys, revokeApiKey, type ApiKeyInput } from "./api-keys.ts";
export type { ListedKey } from "./queries.ts";
