import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { certificateOf, type Certificates } from "../certificates.ts";
import { RawConnection } from "./raw-connection.ts";
import type { RawLog, RawScript } from "./raw-script.ts";

/** The script of a connection that is one too many. */
const BUSY: RawScript = {
  rules: [
    { on: "connect", steps: [{ send: "421 4.7.0 too many connections\r\n" }, { close: true }] },
  ],
};

/** Scripted servers that tests order during the run, each on a port of its own. */
export class RawServers {
  readonly #certificates: Certificates;
  readonly #servers = new Map<number, RawServer>();

  constructor(certificates: Certificates) {
    this.#certificates = certificates;
  }

  async start(script: RawScript): Promise<{ port: number }> {
    const server = new RawServer(script, this.#certificates);
    const port = await server.listen();
    this.#servers.set(port, server);
    return { port };
  }

  log(port: number): RawLog {
    return this.#get(port).log();
  }

  /** Answers when no connection is open, or after `timeoutMs` with the open ones. */
  async idle(port: number, timeoutMs: number): Promise<{ open: number }> {
    return { open: await this.#get(port).idle(timeoutMs) };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  #get(port: number): RawServer {
    const server = this.#servers.get(port);
    if (!server) throw new Error(`no scripted server on port ${port}`);
    return server;
  }
}

class RawServer {
  readonly #server: Server;
  readonly #connections: RawConnection[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #sockets = new Set<Socket>();
  #openMax = 0;

  constructor(script: RawScript, certificates: Certificates) {
    const { connectionsMax = Infinity } = script;
    const accept = (socket: Socket) => {
      const number = this.#connections.length + 1;
      const played = this.#open(socket) < connectionsMax ? script : BUSY;
      this.#connections.push(new RawConnection(socket, number, played, certificates));
    };
    this.#server = script.tls
      ? createTlsServer(certificateOf(certificates, script.tls), accept)
      : createServer(accept);
    this.#server.on("connection", (socket: Socket) => this.#watch(socket));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  log(): RawLog {
    return { connections: this.#connections.map(({ log }) => log), openMax: this.#openMax };
  }

  async idle(timeoutMs: number): Promise<number> {
    if (this.#sockets.size > 0) {
      await new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          this.#waiting.delete(finish);
          resolve();
        };
        const timer = setTimeout(finish, timeoutMs);
        this.#waiting.add(finish);
      });
    }
    return this.#sockets.size;
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Returns the number of open connections, except one. */
  #open(except?: Socket): number {
    const isOpen = (one: Socket) => one !== except && !one.destroyed && !one.writableEnded;
    return [...this.#sockets].filter(isOpen).length;
  }

  /** Counts the TCP connection, which outlives TLS. */
  #watch(socket: Socket): void {
    // The event of an end that this server caused may come after the client's next connection.
    this.#sockets.add(socket);
    this.#openMax = Math.max(this.#openMax, this.#open());
    socket.on("close", () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) for (const finish of this.#waiting) finish();
    });
  }
}
