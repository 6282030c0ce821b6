/*
 * A shop that sends receipts with the typed client (docs/api-client.md). In a project of your own,
 * the import is "postrider-client".
 */
import { PostriderError, verifyWebhook, type KeyClient } from "../client/src/index.ts";

export interface Order {
  number: string;
  customer: string;
}

/**
 * Sends a receipt once, however often it is called for an order. Returns the id of the log entry.
 */
export async function sendReceipt(client: KeyClient, projectId: string, order: Order) {
  const body = {
    to: order.customer,
    subject: `Your order ${order.number}`,
    html_body: "<p>Thank you for your order.</p>",
    tags: { order: order.number },
  };
  try {
    const options = { idempotencyKey: `receipt-${order.number}` };
    const sent = await client.projects.send({ projectId, body }, options);
    return sent.id;
  } catch (error) {
    if (error instanceof PostriderError && error.code === "suppressed") return undefined;
    throw error;
  }
}

/** Lists the addresses of all subscribers, page by page. */
export async function subscribedAddresses(client: KeyClient, projectId: string) {
  const addresses: string[] = [];
  for await (const { email } of client.projects.subscribers.list.all({ projectId }))
    addresses.push(email);
  return addresses;
}

/** Takes a webhook and answers it. */
export async function receiveWebhook(
  request: Request,
  secret: string,
  onBounce: (address: unknown) => void,
): Promise<Response> {
  const body = await request.text();
  try {
    const event = await verifyWebhook({ body, headers: request.headers, secret });
    if (event.type === "email.bounced") onBounce(event.data["to"]);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof PostriderError) return new Response(error.message, { status: 400 });
    throw error;
  }
}
