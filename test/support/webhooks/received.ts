/* Requests to the webhook receiver, read from inside a test. */
import { ports } from "../ports.ts";
import type { Received, ReceivedRequest } from "./receiver.ts";

/**
 * URL of an endpoint; the service treats each `host` (0 to 7) as a different host. receiver.ts
 * lists the paths.
 */
export const endpoint = (path: string, host = 0) =>
  `http://127.0.0.1:${ports.webhooks[host] ?? 0}/${path}`;

/** Requests to a name so far. */
export const received = (name: string): Promise<Received> => ask(name, 0, 0);

/** Waits until a name has received `count` requests; throws after `timeoutMs`. */
export async function waitForRequests(
  name: string,
  count: number,
  timeoutMs = 20_000,
): Promise<ReceivedRequest[]> {
  const { requests } = await ask(name, count, timeoutMs);
  if (requests.length >= count) return requests;
  throw new Error(`${requests.length} of ${count} requests came to ${name} in ${timeoutMs} ms`);
}

/** Ends the wait of the requests to `/hold/<name>`, `/hang/<name>` and `/once/<name>`. */
export async function release(name: string): Promise<void> {
  await fetch(`${CONTROL}/webhooks/release?name=${name}`, { method: "POST" });
}

const CONTROL = `http://127.0.0.1:${ports.smtpControl}`;

async function ask(name: string, count: number, timeoutMs: number): Promise<Received> {
  const query = new URLSearchParams({ name, count: `${count}`, timeout_ms: `${timeoutMs}` });
  const response = await fetch(`${CONTROL}/webhooks/received?${query.toString()}`);
  if (!response.ok) throw new Error(`control port: ${response.status} ${await response.text()}`);
  return response.json<Received>();
}
