import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";
import { remedyOf, type Remedy } from "../../messages/remedies.ts";
import type { Peek, SeenCertificate } from "../net/peek-certificate.ts";

/** A fault and its remedy. */
export interface Explanation {
  reason: ConnectionMessage;
  remedy: Remedy;
}

/** Protocol-specific names of fields and ports. */
export interface TlsWords {
  host: string;
  /** Name of the host field, such as "smtp_host". */
  hostField: string;
  /** The remedy for a port that responds in plain text. */
  plainTextRemedy: Remedy;
}

/** Maximum number of certificate names in a text. */
const SHOWN_NAMES_MAX = 3;

/**
 * Explains why TLS failed, from what the server presented on a second connection. Returns undefined
 * if that is inconclusive. `isCertain` is false if something other than TLS may have failed.
 */
export function explainTls(
  peek: Peek,
  words: TlsWords,
  now: number,
  isCertain: boolean,
): Explanation | undefined {
  if (peek.kind === "plain_text") {
    return { reason: connectionMessage("port_in_plain_text"), remedy: words.plainTextRemedy };
  }
  if (peek.kind === "certificate") {
    const wrong = findFault(peek.certificate, words, now);
    return wrong ?? (isCertain ? untrusted(peek.certificate) : undefined);
  }
  if (!isCertain) return undefined;
  if (peek.kind === "hidden") {
    return {
      reason: connectionMessage("certificate_hidden"),
      remedy: remedyOf("check_certificate", { host: words.host }),
    };
  }
  return { reason: connectionMessage("silent_in_tls"), remedy: remedyOf("check_tls_port") };
}

function findFault(
  certificate: SeenCertificate,
  { host, hostField: field }: TlsWords,
  now: number,
): Explanation | undefined {
  const { names, isForHost, validFrom, validTo, isSelfSigned } = certificate;
  if (!isForHost) {
    const name = names.find((one) => !one.startsWith("*"));
    return {
      reason: connectionMessage("certificate_for_others", { names: list(names), host }),
      // The name is unverified, so someone who knows the provider must confirm it.
      remedy:
        name === undefined
          ? remedyOf("use_covered_host", { field, host })
          : remedyOf("use_named_host", { name, field, host }),
    };
  }
  if (validTo < now) {
    return {
      reason: connectionMessage("certificate_expired", { day: dayOf(validTo) }),
      remedy: remedyOf("renew_certificate"),
    };
  }
  if (validFrom > now) {
    return {
      reason: connectionMessage("certificate_too_early", { day: dayOf(validFrom) }),
      remedy: remedyOf("check_clock"),
    };
  }
  if (isSelfSigned) {
    return {
      reason: connectionMessage("certificate_self_signed"),
      remedy: remedyOf("get_certificate"),
    };
  }
  return undefined;
}

function untrusted({ chainLength }: SeenCertificate): Explanation {
  const code = chainLength > 1 ? "certificate_untrusted" : "certificate_without_chain";
  return { reason: connectionMessage(code), remedy: remedyOf("send_chain") };
}

function list(names: string[]): string | ConnectionMessage {
  if (names.length === 0) return connectionMessage("no_names");
  const shown = names.slice(0, SHOWN_NAMES_MAX).join(", ");
  const count = names.length - SHOWN_NAMES_MAX;
  return count > 0 ? connectionMessage("more_names", { names: shown, count }) : shown;
}

const dayOf = (time: number) =>
  Number.isFinite(time)
    ? new Date(time).toISOString().slice(0, 10)
    : connectionMessage("unknown_day");
