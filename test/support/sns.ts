/*
 * Amazon SNS for tests: a signing key with a certificate that is built here, and messages signed by
 * it, as SNS posts them.
 */
import { Buffer } from "node:buffer";

export const TOPIC = "arn:aws:sns:us-east-1:123456789012:bounces";
export const SNS_HOST = "https://sns.us-east-1.amazonaws.com";

const DAY_MS = 86_400_000;

/** Returns an element of DER (X.690): tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, size >> 8, size & 0xff]), content]);
}

const SEQUENCE = 0x30;
const RSA_SHA256 = der(SEQUENCE, Buffer.from("06092a864886f70d01010b0500", "hex"));
const NAME = der(
  SEQUENCE,
  der(0x31, der(SEQUENCE, Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("sns.test")))),
);

/** Returns a UTCTime: `261122120000Z`. */
function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

/** The first moment and the last one at which a certificate is valid. */
export interface Validity {
  from: number;
  to: number;
}

const NOW: Validity = { from: Date.now() - DAY_MS, to: Date.now() + DAY_MS };

async function generateRsa() {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

async function exportKey(format: "pkcs8" | "spki", key: CryptoKey): Promise<ArrayBuffer> {
  const exported = await crypto.subtle.exportKey(format, key);
  if (!(exported instanceof ArrayBuffer)) throw new Error("a key as JWK");
  return exported;
}

/** Makes a signing key and a certificate of its public key that it signs itself. */
export async function newSns(validity: Validity = NOW) {
  const pair = await generateRsa();
  if (!("privateKey" in pair)) throw new Error("no pair of keys");
  const body = der(
    SEQUENCE,
    der(0xa0, Buffer.from([2, 1, 2])),
    Buffer.from([2, 1, 7]),
    RSA_SHA256,
    NAME,
    der(SEQUENCE, utcTime(validity.from), utcTime(validity.to)),
    NAME,
    new Uint8Array(await exportKey("spki", pair.publicKey)),
  );
  const pkcs8 = await exportKey("pkcs8", pair.privateKey);
  const sign = async (hash: "SHA-1" | "SHA-256", data: Uint8Array<ArrayBuffer>) => {
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash };
    const key = await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign(algorithm.name, key, data));
  };
  const signature = await sign("SHA-256", new Uint8Array(body));
  const certificate = der(SEQUENCE, body, RSA_SHA256, der(3, Buffer.from([0]), signature));
  const base64 = certificate.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return {
    pem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    /** Signs these fields; `Type` and the others have the values of a notification. */
    sign: async (given: Record<string, string>) => {
      const fields: Record<string, string> = {
        Type: "Notification",
        MessageId: crypto.randomUUID(),
        TopicArn: TOPIC,
        Message: "{}",
        Timestamp: new Date().toISOString(),
        SignatureVersion: "2",
        SigningCertURL: `${SNS_HOST}/SimpleNotificationService-test.pem`,
        ...given,
      };
      // Written down apart from the service: the order in which SNS signs the fields.
      const order =
        fields["Type"] === "Notification"
          ? "Message MessageId Subject Timestamp TopicArn Type"
          : "Message MessageId SubscribeURL Timestamp Token TopicArn Type";
      const signed = order
        .split(" ")
        .filter((name) => name in fields)
        .map((name) => `${name}\n${fields[name]}\n`)
        .join("");
      const hash = fields["SignatureVersion"] === "1" ? "SHA-1" : "SHA-256";
      const made = await sign(hash, new Uint8Array(Buffer.from(signed)));
      return { ...fields, Signature: Buffer.from(made).toString("base64") };
    },
  };
}
