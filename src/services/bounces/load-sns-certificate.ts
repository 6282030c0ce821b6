import type { Deps } from "../../deps.ts";
import { refusal } from "../../errors.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { errorText } from "../../lib/log-line.ts";
import { readLimited } from "../../lib/read-limited.ts";
import { isCertificateValid } from "../../mail/sns/index.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16_384;
const KEPT_MS = 24 * HOUR_MS;
const KEPT_MAX = 16;

/** Cache of the most recently fetched certificates, by URL. It stores values, not promises. */
const kept = new Map<string, { pem: string; until: number }>();

/**
 * Loads a signing certificate from an SNS URL that `readCertificateUrl` allowed. The TLS connection
 * to that host authenticates the certificate. Throws 503 if SNS does not return a valid one.
 */
export async function loadSnsCertificate(deps: Deps, url: string): Promise<string> {
  const now = deps.now();
  const known = kept.get(url);
  if (known && now < known.until && isCertificateValid(known.pem, now)) return known.pem;
  const pem = await download(deps, url);
  if (!isCertificateValid(pem, now)) throw unavailable("it is not currently valid");
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(url, { pem, until: now + KEPT_MS });
  return pem;
}

async function download({ fetch }: Deps, url: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { redirect: "manual", signal });
    const body = await readLimited(response.body, MAX_BYTES);
    if (response.status === 200 && body.ok) return new TextDecoder().decode(body.bytes);
    throw new Error(body.ok ? `the host answered ${response.status}` : "it is too long");
  } catch (error) {
    throw unavailable(errorText(error));
  }
}

const unavailable = (reason: string) => refusal("sns_certificate_unavailable", { reason });
