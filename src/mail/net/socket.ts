import { EagerReader } from "./eager-reader.ts";

/** Opens a socket; in production this is `connect` of `cloudflare:sockets`. */
export type SocketFactory = (
  address: { hostname: string; port: number },
  options: { secureTransport: SecureTransport; allowHalfOpen: false },
) => Socket;

export type SecureTransport = "on" | "off" | "starttls";

/** Locks both streams, and attaches a handler to every promise that a dying socket rejects. */
export function attach(socket: Socket): [EagerReader, WritableStreamDefaultWriter<Uint8Array>] {
  const reader: ReadableStreamDefaultReader<Uint8Array> = socket.readable.getReader();
  const writer: WritableStreamDefaultWriter<Uint8Array> = socket.writable.getWriter();
  for (const promise of [socket.opened, socket.closed, reader.closed, writer.closed]) {
    promise.catch(toldElsewhere);
  }
  return [new EagerReader(reader), writer];
}

/** Ignores rejections that the pending read, write or open reports itself. */
export function toldElsewhere(): undefined {
  return undefined;
}

/**
 * Starts TLS on a socket opened with "starttls". Some platform versions reject the option with a
 * TypeError; TLS then uses the name given to the socket factory, which is the same one.
 */
export function upgradeToTls(socket: Socket, hostname: string): Socket {
  try {
    return socket.startTls({ expectedServerHostname: hostname.replace(/^\[(.*)\]$/, "$1") });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return socket.startTls();
  }
}
