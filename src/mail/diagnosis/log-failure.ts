import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";
import { remedyOf, type Remedy } from "../../messages/remedies.ts";
import { Connection } from "../net/connection.ts";
import { ConnectionError, refused } from "../net/connection-error.ts";
import { type Peek, peekCertificate } from "../net/peek-certificate.ts";
import type { SocketFactory } from "../net/socket.ts";
import type { StepLog, StepName } from "./step-log.ts";

/** A failed step. */
interface Failure {
  step: StepName;
  reason: ConnectionMessage;
  remedy: Remedy;
}

/** A server whose TLS appears to have failed. */
export interface Suspect {
  host: string;
  port: number;
  /** Name of the host field, such as "smtp_host". */
  hostField: string;
  /** The remedy for a port that responds in plain text. */
  plainTextRemedy: Remedy;
  /** False if something other than TLS may have failed. */
  isCertain: boolean;
  /** Brings a connection to the point where TLS starts; omitted for implicit TLS. */
  begin?: ((connection: Connection) => Promise<boolean>) | undefined;
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
 * Logs a failed step. If its TLS is a suspect, opens a second connection in plain text, reads the
 * certificate from the start of a handshake, and logs what is wrong with it as the step `tls`.
 * Returns the error message, or undefined if the result is inconclusive.
 */
export async function logFailure(
  world: TlsWorld,
  log: StepLog,
  failure: Failure,
  suspect: Suspect | undefined,
  leftMs: number,
): Promise<ConnectionMessage | undefined> {
  const peek =
    suspect && leftMs >= SHORTEST_MS
      ? await look(world, suspect, Math.min(LONGEST_MS, leftMs))
      : undefined;
  const found =
    suspect && peek && peek !== "refused" ? explain(peek, suspect, world.now()) : undefined;
  const reason = peek === "refused" ? refused(undefined, false).reason : found?.reason;
  if (found && failure.step === "connect") log.succeeded("connect", connectionMessage("connected"));
  log.failed(
    found ? "tls" : failure.step,
    reason ?? failure.reason,
    found?.remedy ?? failure.remedy,
  );
  if (!suspect || !reason) return undefined;
  const code = found ? "tls_not_started" : "not_connected";
  return connectionMessage(code, { server: `${suspect.host}:${suspect.port}`, reason });
}

async function look(
  { sockets }: TlsWorld,
  { host, port, begin }: Suspect,
  timeoutMs: number,
): Promise<Peek | "refused" | undefined> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.open({ hostname: host, port }, "off", sockets, timeoutMs);
    if (begin && !(await begin(connection))) return undefined;
    return await peekCertificate(connection, host);
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    return error.fault === "refused" ? "refused" : undefined;
  } finally {
    connection?.close();
  }
}

/** Maximum number of certificate names in a text. */
const SHOWN_NAMES_MAX = 3;

/** Explains why TLS failed, from what the server presented on a second connection. */
function explain(
  peek: Peek,
  { host, hostField: field, plainTextRemedy, isCertain }: Suspect,
  now: number,
): Pick<Failure, "reason" | "remedy"> | undefined {
  if (peek.kind === "plain_text")
    return { reason: connectionMessage("port_in_plain_text"), remedy: plainTextRemedy };
  if (peek.kind !== "certificate") {
    if (!isCertain) return undefined;
    return { reason: connectionMessage("certificate_hidden"), remedy: remedyOf("check_tls_port") };
  }
  const { names, isForHost, validFrom, validTo, isSelfSigned } = peek.certificate;
  if (!isForHost) {
    const shown = [...names.slice(0, SHOWN_NAMES_MAX), ...(names[SHOWN_NAMES_MAX] ? ["…"] : [])];
    const reason = connectionMessage("certificate_for_others", {
      names: shown.length === 0 ? connectionMessage("no_names") : shown.join(", "),
      host,
    });
    // The names are unverified, so someone who knows the provider must confirm one.
    return { reason, remedy: remedyOf("use_covered_host", { field, host }) };
  }
  if (now > validTo || now < validFrom) {
    const reason = connectionMessage("certificate_expired", {
      from: dayOf(validFrom),
      to: dayOf(validTo),
    });
    return { reason, remedy: remedyOf("renew_certificate") };
  }
  if (isSelfSigned)
    return {
      reason: connectionMessage("certificate_self_signed"),
      remedy: remedyOf("get_certificate"),
    };
  if (!isCertain) return undefined;
  return { reason: connectionMessage("certificate_untrusted"), remedy: remedyOf("send_chain") };
}

const dayOf = (time: number) =>
  Number.isFinite(time) ? new Date(time).toISOString().slice(0, 10) : "?";
