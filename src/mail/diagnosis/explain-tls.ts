import type { Peek, SeenCertificate } from "../net/peek-certificate.ts";

/** A fault and what to change. */
export interface Explanation {
  reason: string;
  remedy: string;
}

/** A protocol's names for its fields and ports. */
export interface TlsWords {
  host: string;
  /** The name of the field for the host, as "smtp_host". */
  hostField: string;
  /** The advice for a port that answers in plain text. */
  plainTextRemedy: string;
}

/** Names of a certificate that a text shows. */
const SHOWN_NAMES_MAX = 3;
const PROVIDER = "If the server is not yours, tell your mail provider.";

/**
 * Explains why TLS failed, from what the server showed to a second connection. Returns undefined
 * when that tells nothing. `isCertain` is false when something other than TLS may have failed.
 */
export function explainTls(
  peek: Peek,
  words: TlsWords,
  now: number,
  isCertain: boolean,
): Explanation | undefined {
  if (peek.kind === "plain_text") {
    return {
      reason: "the port answers in plain text, not with TLS",
      remedy: words.plainTextRemedy,
    };
  }
  if (peek.kind === "certificate") {
    const wrong = findFault(peek.certificate, words, now);
    return wrong ?? (isCertain ? untrusted(peek.certificate) : undefined);
  }
  if (!isCertain) return undefined;
  if (peek.kind === "hidden") {
    return {
      reason: "the TLS handshake fails, and the server shows no certificate to TLS 1.2",
      remedy: `Check that the certificate is for ${words.host}, not expired, and of a public authority. ${PROVIDER}`,
    };
  }
  return {
    reason: "the server closed the connection or fell silent in the TLS handshake",
    remedy: `Check that the port is one for TLS and that the server has a certificate. ${PROVIDER}`,
  };
}

function findFault(
  certificate: SeenCertificate,
  { host, hostField }: TlsWords,
  now: number,
): Explanation | undefined {
  const { names, isForHost, validFrom, validTo, isSelfSigned } = certificate;
  if (!isForHost) {
    const named = names.find((name) => !name.startsWith("*"));
    const other =
      named === undefined
        ? `Enter a host name that it covers as ${hostField}`
        : `If ${named} is the name of your provider's server, enter it as ${hostField}`;
    return {
      reason: `the certificate is for ${list(names)}, not for ${host}`,
      // Nobody has verified the name, so a person who knows the provider must.
      remedy: `${other}. Otherwise the server needs a certificate for ${host}.`,
    };
  }
  if (validTo < now) {
    return {
      reason: `the certificate expired on ${dayOf(validTo)}`,
      remedy: `Renew the certificate of the server. ${PROVIDER}`,
    };
  }
  if (validFrom > now) {
    return {
      reason: `the certificate is not valid before ${dayOf(validFrom)}`,
      remedy: `Check the clock of the server that made the certificate. ${PROVIDER}`,
    };
  }
  if (isSelfSigned) {
    return {
      reason: "the certificate is signed by itself, not by a public authority",
      remedy: `Give the server a certificate of a public authority, for example Let's Encrypt. ${PROVIDER}`,
    };
  }
  return undefined;
}

function untrusted({ chainLength }: SeenCertificate): Explanation {
  return {
    reason:
      chainLength > 1
        ? "the certificate covers the host and the time, but its authority is not trusted"
        : "the server sends its certificate alone, without the one of its authority",
    remedy: `Let the server send the full chain of a certificate of a public authority. ${PROVIDER}`,
  };
}

function list(names: string[]): string {
  if (names.length === 0) return "no host name";
  const more = names.length - SHOWN_NAMES_MAX;
  return names.slice(0, SHOWN_NAMES_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const dayOf = (time: number) =>
  Number.isFinite(time) ? new Date(time).toISOString().slice(0, 10) : "an unknown day";
