import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";

/**
 * A private CA, a server certificate it signed for localhost and 127.0.0.1, and an unsigned one.
 */
export interface Certificates {
  caFile: string;
  server: { key: string; cert: string };
  untrusted: { key: string; cert: string };
}

const LOOPBACK_NAMES = [
  { type: 2 as const, value: "localhost" },
  { type: 7 as const, ip: "127.0.0.1" },
];

/**
 * Creates the test CA once per checkout and keeps it in `directory`. workerd trusts it when
 * NODE_EXTRA_CA_CERTS names `caFile` before miniflare is loaded.
 */
export async function loadCertificates(directory: string): Promise<Certificates> {
  const caFile = join(directory, "ca.pem");
  const stored = join(directory, "certificates.json");
  if (!existsSync(stored)) {
    mkdirSync(directory, { recursive: true });
    const made = await makeCertificates();
    writeFileSync(caFile, made.ca);
    writeFileSync(stored, JSON.stringify({ server: made.server, untrusted: made.untrusted }));
  }
  return { caFile, ...JSON.parse(readFileSync(stored, "utf8")) };
}

async function makeCertificates() {
  const notAfterDate = new Date(Date.now() + 10 * 365 * 86_400_000);
  const common = { algorithm: "sha256", keySize: 2048, notAfterDate } as const;
  const ca = await generate([{ name: "commonName", value: "Postrider test CA" }], {
    ...common,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const leaf = [
    { name: "basicConstraints" as const, cA: false },
    { name: "keyUsage" as const, digitalSignature: true, keyEncipherment: true },
    { name: "extKeyUsage" as const, serverAuth: true },
    { name: "subjectAltName" as const, altNames: LOOPBACK_NAMES },
  ];
  const name = [{ name: "commonName", value: "localhost" }];
  const server = await generate(name, {
    ...common,
    extensions: leaf,
    ca: { key: ca.private, cert: ca.cert },
  });
  const untrusted = await generate(name, { ...common, extensions: leaf });
  return {
    ca: ca.cert,
    server: { key: server.private, cert: server.cert },
    untrusted: { key: untrusted.private, cert: untrusted.cert },
  };
}
