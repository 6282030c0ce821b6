/*
 * An HTTP endpoint for webhooks whose path selects its behaviour, and which keeps its requests:
 *
 *   /ok/<name>              200 with a short body
 *   /status/<codes>/<name>  these statuses one after another, the last for ever ("500,500,204")
 *   /body/<text>/<name>     500 with that text as its body
 *   /redirect/<name>        302 to /ok/<name>
 *   /goto/<url>/<name>      302 to that address
 *   /slow/<name>            200 after 30 ms
 *   /hold/<name>            200 once it is released, before that nothing
 *   /once/<name>            200 the first time, then like /hang
 *   /hang/<name>            nothing until it is released, then it breaks the connection off
 *   /close/<name>           breaks the connection off
 *   /endless/<code>/<name>  that status and a body without end; 405 to HEAD
 *   /drip/<code>/<name>     that status and a byte of body every 50 ms
 *
 * It listens on several ports: for the service each is a host of its own. Names belong to one test.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request with its headers and body. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Requests to a name, how many of them are open now, and the largest number open at once. */
export interface Received {
  requests: ReceivedRequest[];
  open: number;
  most: number;
}

const PORTS = 8;
const DRIP_MS = 50;
const SLOW_MS = 30;

interface Book extends Received {
  released: boolean;
  held: (() => void)[];
}

/** Starts the receiver on loopback. */
export async function startWebhookReceiver() {
  const books = new Map<string, Book>();
  const waiting = new Set<() => void>();
  const bookOf = (name: string): Book => {
    const fresh = { requests: [], open: 0, most: 0, released: false, held: [] };
    const book = books.get(name) ?? fresh;
    books.set(name, book);
    return book;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [, kind = "", ...rest] = (request.url ?? "/").split("/");
    const book = bookOf(rest.at(-1) ?? "");
    book.open += 1;
    book.most = Math.max(book.most, book.open);
    response.on("close", () => (book.open -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    book.requests.push({
      method: request.method ?? "",
      path: request.url ?? "",
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([key, value]) => [key, String(value)]),
      ),
      body: Buffer.concat(chunks).toString("utf8"),
    });
    for (const check of waiting) check();
    ANSWERS[kind]?.(response, rest, book);
  };
  const servers = Array.from({ length: PORTS }, () =>
    createServer({ keepAliveTimeout: 0 }, (request, response) => {
      answer(request, response).catch(() => response.destroy());
    }),
  );
  await Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
  );
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    /** Answers as soon as a name has `count` requests, or with the requests after `timeoutMs`. */
    async wait(name: string, count: number, timeoutMs: number): Promise<Received> {
      const book = bookOf(name);
      await new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          waiting.delete(check);
          resolve();
        };
        const check = () => {
          if (book.requests.length >= count) finish();
        };
        const timer = setTimeout(finish, timeoutMs);
        waiting.add(check);
        check();
      });
      const { requests, open, most } = book;
      return { requests, open, most };
    },
    release(name: string): void {
      const book = bookOf(name);
      book.released = true;
      for (const go of book.held.splice(0)) go();
    },
    close: () =>
      Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((resolve) => {
              server.close(() => resolve());
              server.closeAllConnections();
            }),
        ),
      ),
  };
}

/** Keeps a request open until its name is released. */
function hang(response: ServerResponse, { released, held }: Book): void {
  const go = () => response.destroy();
  if (released) go();
  else held.push(go);
}

type ScriptedAnswer = (response: ServerResponse, path: string[], book: Book) => void;

const ANSWERS: Record<string, ScriptedAnswer> = {
  ok: (response) => response.end("thank you"),
  status: (response, [codes = ""], { requests }) => {
    const list = codes.split(",").map(Number);
    response.writeHead(list[requests.length - 1] ?? list.at(-1) ?? 500).end();
  },
  body: (response, [text = ""]) => response.writeHead(500).end(decodeURIComponent(text)),
  redirect: (response, [name = ""]) =>
    response.writeHead(302, { location: `/ok/${name}` }).end("moved"),
  goto: (response, [url = ""]) =>
    response.writeHead(302, { location: decodeURIComponent(url) }).end(),
  slow: (response) => setTimeout(() => response.end(), SLOW_MS),
  hold: (response, _path, book) => {
    const go = () => response.end("at last");
    if (book.released) go();
    else book.held.push(go);
  },
  once: (response, _path, book) => {
    if (book.requests.length === 1) response.end();
    else hang(response, book);
  },
  hang: (response, _path, book) => hang(response, book),
  close: (response) => response.destroy(),
  endless: (response, [code = ""]) => {
    if (response.req.method === "HEAD") {
      response.writeHead(405).end(); // an answer to HEAD has no body to go on with
      return;
    }
    response.writeHead(Number(code));
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(16_384)));
    };
    response.on("drain", more);
    more();
  },
  drip: (response, [code = ""]) => {
    response.writeHead(Number(code));
    const timer = setInterval(() => response.write("."), DRIP_MS);
    response.on("close", () => clearInterval(timer));
  },
};
