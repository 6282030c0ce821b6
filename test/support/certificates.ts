import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";

/** A private CA in `caFile` and certificates of servers. */
export interface Certificates {
  caFile: string;
  /** Signed by the CA for localhost, 127.0.0.1 and names below public.test. */
  server: KeyPair;
  /** For the same names, but signed by itself. */
  untrusted: KeyPair;
  /** Signed by the CA for the names of `OTHER_NAMES`. */
  misnamed: KeyPair;
  /** Like `server`, but it ended a year ago. */
  expired: KeyPair;
  /** For the same names, signed by another CA that it does not come with. */
  unchained: KeyPair;
}

interface KeyPair {
  key: string;
  cert: string;
}

/** Which certificate a scripted server shows. */
export type ShownCertificate = "trusted" | "untrusted" | "misnamed" | "expired" | "unchained";

const LOOPBACK_NAMES = [
  { type: 2 as const, value: "localhost" },
  { type: 7 as const, ip: "127.0.0.1" },
  { type: 2 as const, value: "*.public.test" },
];

const OTHER_NAMES = [
  { type: 2 as const, value: "mail.other.test" },
  { type: 2 as const, value: "smtp.other.test" },
];

const YEAR_MS = 365 * 86_400_000;

/** Returns the certificate that a server shows. */
export function certificateOf(certificates: Certificates, shown: ShownCertificate): KeyPair {
  return certificates[shown === "trusted" ? "server" : shown];
}

/**
 * Creates the test CA once per checkout and keeps it in `directory`. workerd trusts it when
 * NODE_EXTRA_CA_CERTS names `caFile` before miniflare is loaded.
 */
export async function loadCertificates(directory: string): Promise<Certificates> {
  const caFile = join(directory, "ca.pem");
  const stored = join(directory, "servers.json");
  if (!existsSync(stored)) {
    mkdirSync(directory, { recursive: true });
    const { ca, ...keyPairs } = await makeCertificates();
    writeFileSync(caFile, ca);
    writeFileSync(stored, JSON.stringify(keyPairs));
  }
  return { caFile, ...JSON.parse(readFileSync(stored, "utf8")) };
}

async function makeCertificates() {
  const now = Date.now();
  const common = {
    algorithm: "sha256",
    keySize: 2048,
    notAfterDate: new Date(now + 10 * YEAR_MS),
  } as const;
  const makeCa = (name: string) =>
    generate([{ name: "commonName", value: name }], {
      ...common,
      extensions: [
        { name: "basicConstraints", cA: true, critical: true },
        { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
      ],
    });
  const ca = await makeCa("Postrider test CA");
  const leaf = (altNames: typeof LOOPBACK_NAMES | typeof OTHER_NAMES) => [
    { name: "basicConstraints" as const, cA: false },
    { name: "keyUsage" as const, digitalSignature: true, keyEncipherment: true },
    { name: "extKeyUsage" as const, serverAuth: true },
    { name: "subjectAltName" as const, altNames },
  ];
  const name = [{ name: "commonName", value: "localhost" }];
  const signed = { ca: { key: ca.private, cert: ca.cert } };
  const stranger = await makeCa("Unknown test CA");
  const pair = async (options: Parameters<typeof generate>[1], subject = name) => {
    const made = await generate(subject, { ...common, ...options });
    return { key: made.private, cert: made.cert };
  };
  return {
    ca: ca.cert,
    server: await pair({ extensions: leaf(LOOPBACK_NAMES), ...signed }),
    untrusted: await pair({ extensions: leaf(LOOPBACK_NAMES) }),
    misnamed: await pair({ extensions: leaf(OTHER_NAMES), ...signed }, [
      { name: "commonName", value: "mail.other.test" },
    ]),
    expired: await pair({
      extensions: leaf(LOOPBACK_NAMES),
      notBeforeDate: new Date(now - 2 * YEAR_MS),
      notAfterDate: new Date(now - YEAR_MS),
      ...signed,
    }),
    unchained: await pair({
      extensions: leaf(LOOPBACK_NAMES),
      ca: { key: stranger.private, cert: stranger.cert },
    }),
  };
}
