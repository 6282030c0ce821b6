import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";
import { Connection } from "../net/connection.ts";
import { ConnectionError, refused } from "../net/connection-error.ts";
import { type Peek, peekCertificate } from "../net/peek-certificate.ts";
import type { SocketFactory } from "../net/socket.ts";
import { type Explanation, explainTls, type TlsWords } from "./explain-tls.ts";
import { advice, said, type Step, type StepLog } from "./step-log.ts";

/** A server whose TLS appears to have failed. */
export interface Suspect extends TlsWords {
  port: number;
  /** False if something other than TLS may have failed. */
  isCertain: boolean;
  /** Brings a connection to the point where TLS starts; omitted for implicit TLS. */
  begin?: (connection: Connection) => Promise<boolean>;
}

/** External dependencies of the investigation. */
export interface TlsWorld {
  sockets: SocketFactory;
  /** Milliseconds since 1970 UTC. */
  now: () => number;
}

/** Maximum duration, and the minimum remaining time that is worth a connection. */
const LONGEST_MS = 3_000;
const SHORTEST_MS = 500;

/**
 * Opens a second connection in plain text, and reads the certificate from the start of a handshake.
 * Improves the last logged step, and renames it `tls` if TLS is at fault. Returns the error
 * message, or undefined if the result is inconclusive.
 */
export async function investigateTls(
  world: TlsWorld,
  suspect: Suspect,
  log: StepLog,
  leftMs: number,
): Promise<ConnectionMessage | undefined> {
  const timeoutMs = Math.min(LONGEST_MS, leftMs);
  if (timeoutMs < SHORTEST_MS) return undefined;
  const server = `${suspect.host}:${suspect.port}`;
  const seen = await look(world.sockets, suspect, timeoutMs);
  if (seen === "refused") {
    const { reason } = refused(undefined, false);
    improve(log, { reason });
    return connectionMessage("not_connected", { server, reason });
  }
  if (!seen) return undefined;
  const explanation = explainTls(seen.peek, suspect, world.now(), suspect.isCertain);
  if (!explanation) return undefined;
  improve(log, explanation, seen.connectMs);
  return connectionMessage("tls_not_started", { server, reason: explanation.reason });
}

async function look(
  sockets: SocketFactory,
  { host, port, begin }: Suspect,
  timeoutMs: number,
): Promise<{ peek: Peek; connectMs: number } | "refused" | undefined> {
  const startedAt = performance.now();
  let connection: Connection | undefined;
  try {
    connection = await Connection.open({ hostname: host, port }, "off", sockets, timeoutMs);
    const connectMs = Math.round(performance.now() - startedAt);
    if (begin && !(await begin(connection))) return undefined;
    return { peek: await peekCertificate(connection, host), connectMs };
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    return error.fault === "refused" ? "refused" : undefined;
  } finally {
    connection?.close();
  }
}

/**
 * Improves the last logged step. With `connectMs`, the connection itself succeeded after that time.
 */
function improve(
  log: StepLog,
  { reason, remedy }: Pick<Explanation, "reason"> & Partial<Explanation>,
  connectMs?: number,
): void {
  const failed = log.steps.at(-1);
  if (!failed) return;
  const { params: _params, ...rest } = failed;
  const better = { ...rest, ...said(reason), ...(remedy && advice(remedy)) };
  if (connectMs === undefined) return log.replaceLast([better]);
  const found = said(connectionMessage("connected"));
  const connected: Step = { step: "connect", ok: true, ms: connectMs, ...found };
  const before = failed.step === "connect" ? [connected] : [];
  log.replaceLast([...before, { ...better, step: "tls" }]);
}
