/*
 * Reads a server's certificate from an aborted TLS 1.2 handshake (RFC 5246 section 7.4). The
 * platform rejects a certificate without giving a reason, and this module tells users what is wrong
 * with theirs. It verifies nothing, sends no secrets, and no connection relies on the result.
 *
 * A hostile server may send endless or malformed records. All lengths are checked, the handshake is
 * read up to 64 KiB, and the caller sets the deadline.
 */
import { X509Certificate } from "node:crypto";
import type { Connection } from "./connection.ts";
import { ConnectionError } from "./connection-error.ts";
import { parseIpAddress } from "./special-addresses.ts";

/** A certificate as presented by the server, unverified. */
export interface SeenCertificate {
  /** DNS names and IP addresses that it covers. */
  names: string[];
  isForHost: boolean;
  /** Milliseconds since 1970. */
  validFrom: number;
  validTo: number;
  isSelfSigned: boolean;
}

/**
 * - `plain_text`: the server responds in plain text, so the port does not use TLS.
 * - `hidden`: it speaks TLS, but presents no certificate to TLS 1.2.
 * - `silent`: it closed the connection, or did not respond in time.
 */
export type Peek =
  | { kind: "certificate"; certificate: SeenCertificate }
  | { kind: "plain_text" }
  | { kind: "hidden" }
  | { kind: "silent" };

const RECORD = { alert: 0x15, handshake: 0x16 };
const MESSAGE = { clientHello: 1, certificate: 11 };
const RECORD_BYTES_MAX = 16_384 + 2_048; // RFC 5246 section 6.2.3
const HANDSHAKE_BYTES_MAX = 65_536;
const RECORDS_MAX = 64;
const NAMES_MAX = 100;

/** ECDHE and RSA suites, so that every TLS 1.2 server supports one. */
const CIPHER_SUITES = [
  0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc009, 0xc013, 0xc00a, 0xc014, 0x009c, 0x009d,
  0x002f, 0x0035,
];
const GROUPS = [0x001d, 0x0017, 0x0018, 0x0019];
const SIGNATURES = [
  0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0203, 0x0201,
];
const EXTENSION = { serverName: 0, groups: 10, pointFormats: 11, signatures: 13 };

/**
 * Sends a ClientHello on a plain-text connection where the server expects one, and reads its
 * certificate. The connection cannot be used afterwards.
 */
export async function peekCertificate(connection: Connection, host: string): Promise<Peek> {
  try {
    await connection.write(record(clientHello(host)));
    return await readHandshake(connection, host);
  } catch (error) {
    if (error instanceof ConnectionError) return { kind: "silent" };
    throw error;
  }
}

async function readHandshake(connection: Connection, host: string): Promise<Peek> {
  let handshake = new Uint8Array();
  for (let records = 0; records < RECORDS_MAX; records++) {
    const [type] = await connection.readBytes(1);
    if (type === RECORD.alert) return { kind: "hidden" };
    if (type !== RECORD.handshake) return { kind: "plain_text" };
    const [, , high = 0, low = 0] = await connection.readBytes(4);
    const length = high * 256 + low;
    const isTooLong = handshake.length + length > HANDSHAKE_BYTES_MAX;
    if (length > RECORD_BYTES_MAX || isTooLong) return { kind: "hidden" };
    handshake = concat(handshake, await connection.readBytes(length));
    const chain = findChain(handshake);
    if (chain === "incomplete") continue;
    const certificate = chain && describeChain(chain, host);
    return certificate ? { kind: "certificate", certificate } : { kind: "hidden" };
  }
  return { kind: "hidden" };
}

/** Returns the certificates in a handshake; undefined if it proceeds without any. */
function findChain(handshake: Uint8Array): Uint8Array[] | "incomplete" | undefined {
  let at = 0;
  for (let messages = 0; messages < 2; messages++) {
    if (handshake.length < at + 4) return "incomplete";
    const type = handshake[at];
    const end = at + 4 + uint24(handshake, at + 1);
    if (handshake.length < end) return "incomplete";
    if (type === MESSAGE.certificate) return readChain(handshake.subarray(at + 4, end));
    at = end;
  }
  return undefined;
}

function readChain(message: Uint8Array): Uint8Array[] {
  const chain: Uint8Array[] = [];
  for (let at = 3; at + 3 <= message.length;) {
    const end = at + 3 + uint24(message, at);
    if (end > message.length) return [];
    chain.push(message.subarray(at + 3, end));
    at = end;
  }
  return chain;
}

function describeChain([own]: Uint8Array[], host: string): SeenCertificate | undefined {
  const certificate = own && parseCertificate(own);
  if (!certificate) return undefined;
  const names = namesOf(certificate);
  return {
    names,
    isForHost: names.some((name) => isFor(name, host)),
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    isSelfSigned: certificate.subject === certificate.issuer,
  };
}

function parseCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined; // untrusted bytes
  }
}

function namesOf({ subjectAltName = "" }: X509Certificate): string[] {
  const parts = subjectAltName.split(", ").slice(0, NAMES_MAX);
  return parts.flatMap((part) => /^(?:DNS|IP Address):([\w.*:-]{1,255})$/.exec(part)?.[1] ?? []);
}

/** Matches by RFC 6125 section 6.4.3: a wildcard covers only the first label. */
function isFor(name: string, host: string): boolean {
  const address = parseIpAddress(host);
  if (address) {
    const own = parseIpAddress(name.includes(":") ? `[${name.toLowerCase()}]` : name);
    return own?.toString() === address.toString();
  }
  const pattern = name.toLowerCase();
  return pattern === host || (pattern.startsWith("*.") && pattern.slice(1) === afterLabel(host));
}

const afterLabel = (host: string) => host.slice(Math.max(0, host.indexOf(".")));

function clientHello(host: string): Uint8Array {
  const body = [
    0x03,
    0x03, // TLS 1.2
    ...crypto.getRandomValues(new Uint8Array(32)),
    0, // no session to resume
    ...vector(2, CIPHER_SUITES.flatMap(uint16)),
    1,
    0, // no compression
    ...vector(2, extensions(host)),
  ];
  return new Uint8Array([MESSAGE.clientHello, ...vector(3, body)]);
}

function extensions(host: string): number[] {
  const extension = (type: number, data: number[]) => [...uint16(type), ...vector(2, data)];
  const name = [...new TextEncoder().encode(host)];
  return [
    ...(parseIpAddress(host)
      ? [] // RFC 6066 section 3: no IP addresses
      : extension(EXTENSION.serverName, vector(2, [0, ...vector(2, name)]))),
    ...extension(EXTENSION.groups, vector(2, GROUPS.flatMap(uint16))),
    ...extension(EXTENSION.pointFormats, vector(1, [0])),
    ...extension(EXTENSION.signatures, vector(2, SIGNATURES.flatMap(uint16))),
  ];
}

function record(message: Uint8Array): Uint8Array {
  return new Uint8Array([RECORD.handshake, 0x03, 0x01, ...vector(2, [...message])]);
}

/** Returns bytes prefixed with their length in `size` bytes. */
function vector(size: number, bytes: number[]): number[] {
  const length = Array.from(
    { length: size },
    (_, at) => (bytes.length >> (8 * (size - 1 - at))) & 255,
  );
  return [...length, ...bytes];
}

const uint16 = (value: number) => [value >> 8, value & 255];

function uint24(bytes: Uint8Array, at: number): number {
  const [high = 0, middle = 0, low = 0] = bytes.subarray(at, at + 3);
  return high * 65_536 + middle * 256 + low;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
