import type { AddressInfo, Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer, type TLSSocket } from "node:tls";
import { certificateOf, type Certificates } from "../certificates.ts";
import type { ImapScript, ImapStep } from "./script.ts";

/** Scripted IMAP servers that tests order during the run, each on a port of its own. */
export class ImapServers {
  readonly #certificates: Certificates;
  readonly #servers = new Map<number, ScriptedServer>();

  constructor(certificates: Certificates) {
    this.#certificates = certificates;
  }

  async start(script: ImapScript): Promise<{ port: number }> {
    const server = new ScriptedServer(script, this.#certificates);
    const port = await server.listen();
    this.#servers.set(port, server);
    return { port };
  }

  /** Commands of the clients of one server, line by line, in latin1 and with tags. */
  commands(port: number): string[] {
    const server = this.#servers.get(port);
    if (!server) throw new Error(`no scripted server on port ${port}`);
    return server.commands;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }
}

class ScriptedServer {
  readonly commands: string[] = [];
  readonly #script: ImapScript;
  readonly #server: Server;
  readonly #sockets = new Set<TLSSocket>();

  constructor(script: ImapScript, certificates: Certificates) {
    this.#script = script;
    const certificate = certificateOf(certificates, script.certificate ?? "trusted");
    this.#server = createServer(certificate, (socket) => this.#serve(socket));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(socket: TLSSocket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy()); // tests include vanishing clients
    let playing = this.#play(socket, "connect", "*");
    let received = "";
    let tag = "*";
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      for (let end = commandEnd(received); end > 0; end = commandEnd(received)) {
        const command = received.slice(0, end - 2);
        received = received.slice(end);
        this.commands.push(command);
        const [, newTag, text] = /^(P\d+) (.*)$/s.exec(command) ?? [];
        tag = newTag ?? tag;
        const event = text ?? command;
        playing = playing.then(() => this.#play(socket, event, tag));
      }
    });
  }

  async #play(socket: TLSSocket, event: string, tag: string): Promise<void> {
    const rule = this.#script.rules?.find(({ on }) => event.startsWith(on));
    for (const step of rule?.steps ?? this.#ordinaryAnswer(event)) {
      if ("close" in step) socket.end();
      else await send(socket, step, tag);
    }
  }

  #ordinaryAnswer(event: string): ImapStep[] {
    const offers = this.#script.offers ?? ["AUTH=PLAIN", "SASL-IR"];
    const capabilities = ["IMAP4rev1", ...offers].join(" ");
    if (event === "connect") return [{ send: `* OK [CAPABILITY ${capabilities}] ready\r\n` }];
    if (event === "AUTHENTICATE PLAIN" || /\{\d+\}$/.test(event)) return [{ send: "+ \r\n" }];
    const [verb = ""] = event.replace(/^UID /, "").split(" ");
    const untagged: Record<string, string> = {
      CAPABILITY: `* CAPABILITY ${capabilities}\r\n`,
      SELECT: "* 3 EXISTS\r\n* OK [UIDVALIDITY 1] valid\r\n",
      SEARCH: "* SEARCH\r\n",
      LOGOUT: "* BYE see you\r\n",
    };
    const answer: ImapStep = { send: `${untagged[verb] ?? ""}<tag> OK done\r\n` };
    return verb === "LOGOUT" ? [answer, { close: true }] : [answer];
  }
}

/** Bytes up to the end of the first command; 0 for none. */
function commandEnd(received: string): number {
  const end = received.indexOf("\r\n");
  return end < 0 ? 0 : end + 2;
}

async function send(
  socket: TLSSocket,
  step: Extract<ImapStep, { send: string }>,
  tag: string,
): Promise<void> {
  const text = step.send.replaceAll("<tag>", tag).repeat(step.times ?? 1);
  const chunkBytes = step.chunkBytes ?? text.length;
  for (let at = 0; at < text.length && socket.writable; at += chunkBytes) {
    if (at > 0) await sleep(step.everyMs ?? 0);
    socket.write(text.slice(at, at + chunkBytes), "latin1");
  }
}
