import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { InboxQuery } from "./inbox.ts";

/** Answers one path of the control port with JSON. */
export type ControlRoute = (query: URLSearchParams, body: string) => Promise<unknown>;

/**
 * HTTP port through which tests inside workerd reach objects of this process. Routes are named
 * "METHOD /path"; an unknown one is 404, an exception 500 with its message.
 */
export async function startControlServer(
  routes: Record<string, ControlRoute>,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void answer(routes, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

async function answer(
  routes: Record<string, ControlRoute>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://control.test");
  const route = routes[`${request.method ?? ""} ${url.pathname}`];
  if (!route) {
    response.writeHead(404).end();
    return;
  }
  try {
    const result = await route(url.searchParams, await readBody(request));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Reads `to` and `from` of a query about the inbox. */
export function inboxQuery(query: URLSearchParams): InboxQuery {
  const to = query.get("to");
  const from = query.get("from");
  return { ...(to === null ? {} : { to }), ...(from === null ? {} : { from }) };
}
