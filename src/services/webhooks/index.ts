export { getDelivery, listDeliveries } from "./list-deliveries.ts";
export { selectDeliveriesAbout, type Span } from "./deliveries-about.ts";
export { replayDelivery, testWebhook } from "./new-delivery.ts";
export {
  countWebhooks,
  eventStatement,
  hasWebhooks,
  SUBSCRIBABLE_EVENTS,
  insertDeliveries,
  waking,
  type EventType,
} from "./emit-events.ts";
export { RESEND_EVENTS } from "./resend-format.ts";
export type { DeliveryRow, FullDelivery } from "./delivery-queries.ts";
export { selectWebhook, webhookState, type WebhookRow } from "./queries.ts";
export { deliverDue, type RunEnd, type RunLimits } from "./deliver-due.ts";
export { continueWebhookPurges, forgetOldDeliveries, sweepWebhooks } from "./sweep-webhooks.ts";
export {
  createWebhook,
  deleteWebhook,
  editWebhook,
  getWebhook,
  listWebhooks,
  MAX_WEBHOOKS,
} from "./webhooks.ts";
export {
  forgetInDeliveries,
  selectDeliveryEnd,
  selectWebhookFrom,
  type DeliveryPlace,
} from "./erase-deliveries.ts";
