// Endpoint of a customer on loopback: it accepts events and keeps those with a valid signature.
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** An event as it was posted. */
export interface ReceivedEvent {
  type: string;
  project_id: string;
  data: Record<string, unknown>;
}

/** Running endpoint; `secret` is set once the webhook exists. */
export interface EventReceiver {
  url: string;
  secret: string;
  events: ReceivedEvent[];
  close: () => void;
}

/** Starts it on a free port. */
export async function startEventReceiver(): Promise<EventReceiver> {
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void take(request, response);
  });
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const isGood = isSigned(String(request.headers["x-service-signature"]), body);
    if (isGood) receiver.events.push(JSON.parse(body));
    response.writeHead(isGood ? 204 : 401).end();
  };
  const isSigned = (header: string, body: string) => {
    const [, seconds = "", signature = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
    const wanted = createHmac("sha256", receiver.secret).update(`${seconds}.${body}`).digest();
    const given = Buffer.from(signature, "hex");
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const receiver: EventReceiver = {
    url: `http://127.0.0.1:${port}/events`,
    secret: "",
    events: [],
    close: () => server.close(),
  };
  return receiver;
}
