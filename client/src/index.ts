/*
 * The client of the Postrider API. It needs `fetch` and WebCrypto: Node 20, Workers, browsers.
 *
 *   const client = createClient({ baseUrl: "https://mail.example.com", token: "pat_…" });
 *   const { logs } = await client.projects.logs.list({ projectId, status: "failed" });
 *   for await (const one of client.projects.subscribers.list.all({ projectId })) …
 */
export { createClient, type ClientOptions } from "./create-client.ts";
export { PostriderError, type ErrorCode } from "./errors.ts";
export type { Call, CallOptions, PagedCall } from "./calls.ts";
export type { MailService } from "./mail-service.ts";
export type * from "./types.ts";
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from "./verify-webhook.ts";
