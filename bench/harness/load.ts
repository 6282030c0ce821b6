// A lightweight load generator: GET over keep-alive HTTP/1.1 connections, on raw sockets.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";

export interface LoadResult {
  /** Responses per second. */
  rate: number;
  /** Milliseconds from the due time of a request to the end of its response. */
  eachMs: number[];
}

export interface Load {
  url: string;
  /** Requested round-robin. */
  paths: string[];
  /** Expected status of every response. */
  status: number;
  /** Additional request headers, each with its line end. */
  headers?: string;
  connections: number;
  seconds: number;
  /**
   * Requests per second, independent of responses (open loop); undefined: each connection sends its
   * next request at once (closed loop).
   */
  rate?: number;
}

/** Response timeout: an error is better than a benchmark that waits forever. */
const ANSWER_TIMEOUT_MS = 30_000;
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** One connection that sends requests sequentially. */
class Client {
  readonly #socket: Socket;
  readonly #status: string;
  readonly #headers: string;
  #received = "";
  #answered: (() => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  constructor(socket: Socket, status: number, headers: string) {
    this.#socket = socket;
    this.#headers = headers;
    this.#status = `HTTP/1.1 ${status} `;
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error("no answer in time")));
    socket.on("data", (text: string) => this.#read(text));
    socket.on("error", (error) => this.#failed?.(error));
    socket.on("close", () => this.#failed?.(new Error("the server closed a connection")));
  }

  ask(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      // Writing to a connection that closed while idle yields neither a response nor an error.
      if (!this.#socket.writable) throw new Error("the server closed an idle connection");
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(`GET ${path} HTTP/1.1\r\n${this.#headers}\r\n`);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    if (!head.startsWith(this.#status)) {
      this.#failed?.(new Error(`an answer of another kind: ${head}`));
      return;
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const isWhole = /\r\ntransfer-encoding: *chunked/i.test(head)
      ? this.#received.endsWith("0\r\n\r\n")
      : this.#received.length >= headEnd + 4 + Number(length ?? 0);
    if (!isWhole) return;
    this.#received = "";
    this.#answered?.();
  }
}

/** Puts a worker under load. Throws for any response with another status. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { hostname, port, host } = new URL(load.url);
  const headers = `Host: ${host}\r\nUser-Agent: ${USER_AGENT}\r\n${load.headers ?? ""}`;
  const clients = await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      return new Client(socket, load.status, headers);
    }),
  );
  const eachMs: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + load.seconds * 1_000;
  let asked = 0;
  const askOne = async (client: Client, dueAt: number) => {
    const path = load.paths[asked++ % load.paths.length] ?? "/";
    await client.ask(path);
    eachMs.push(performance.now() - dueAt);
  };
  try {
    if (load.rate === undefined)
      await Promise.all(clients.map((client) => keepAsking(client, endAt, askOne)));
    else await askOnTime(clients, load.rate, endAt, askOne);
    const lastedMs = performance.now() - startedAt;
    return { rate: (eachMs.length / lastedMs) * 1_000, eachMs };
  } finally {
    for (const client of clients) client.close();
  }
}

type AskOne = (client: Client, dueAt: number) => Promise<void>;

async function keepAsking(client: Client, endAt: number, askOne: AskOne): Promise<void> {
  while (performance.now() < endAt) await askOne(client, performance.now());
}

/**
 * Sends requests when due, or once a connection is free; their latency includes that wait.
 * Connections rotate, because workerd closes one that is idle for 15 seconds.
 */
async function askOnTime(
  clients: Client[],
  rate: number,
  endAt: number,
  askOne: AskOne,
): Promise<void> {
  const free = [...clients];
  const due: number[] = [];
  const serve = async (client: Client): Promise<void> => {
    for (let dueAt = due.shift(); dueAt !== undefined; dueAt = due.shift())
      await askOne(client, dueAt);
    free.push(client);
  };
  const serving: Promise<void>[] = [];
  let nextAt = performance.now();
  while (performance.now() < endAt) {
    for (const now = performance.now(); nextAt <= now; nextAt += 1_000 / rate) {
      due.push(nextAt);
      const client = free.shift();
      if (client) serving.push(serve(client));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(serving);
}
