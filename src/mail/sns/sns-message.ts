/*
 * Amazon SNS messages, as posted to an HTTPS endpoint. Do not trust any field before the signature
 * is verified. Source: Amazon SNS, "Verifying the signatures of Amazon SNS messages".
 */
import { isObject, type JsonObject } from "../bounce/json-values.ts";

/** Signed fields of a subscription confirmation. */
const CONFIRMATION = [
  "Message",
  "MessageId",
  "SubscribeURL",
  "Timestamp",
  "Token",
  "TopicArn",
  "Type",
] as const;

/** Signed fields of each type, in signing order. */
const SIGNED_FIELDS = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: CONFIRMATION,
  UnsubscribeConfirmation: CONFIRMATION,
} as const;
type SnsType = keyof typeof SIGNED_FIELDS;

/** The only optional field. */
const OPTIONAL = "Subject";

export interface SnsMessage {
  type: SnsType;
  topicArn: string;
  /** Milliseconds since 1970. */
  sentAt: number;
  /** The text that the topic published. */
  message: string;
  /** The URL that confirms a subscription; "" in a notification. */
  subscribeUrl: string;
  token: string;
  signature: string;
  signatureVersion: string;
  certificateUrl: string;
  /** The text that the signature covers. */
  signedText: string;
}

const isType = (value: unknown): value is SnsType =>
  typeof value === "string" && Object.hasOwn(SIGNED_FIELDS, value);

/** Returns true for an object that claims to be an SNS message. */
export const isSnsEnvelope = (value: unknown): value is JsonObject =>
  isObject(value) && isType(value["Type"]) && typeof value["Message"] === "string";

/** Parses a message; undefined if a field is missing. */
export function readSnsMessage(envelope: JsonObject): SnsMessage | undefined {
  const type = envelope["Type"];
  if (!isType(type)) return undefined;
  const fields = new Map<string, string>();
  for (const name of SIGNED_FIELDS[type]) {
    const value = envelope[name];
    if (typeof value === "string") fields.set(name, value);
    else if (name !== OPTIONAL || (value !== undefined && value !== null)) return undefined;
  }
  const field = (name: string) => fields.get(name) ?? "";
  const unsigned = (name: string) => {
    const value = envelope[name];
    return typeof value === "string" ? value : "";
  };
  return {
    type,
    topicArn: field("TopicArn"),
    sentAt: Date.parse(field("Timestamp")),
    message: field("Message"),
    subscribeUrl: field("SubscribeURL"),
    token: field("Token"),
    signature: unsigned("Signature"),
    signatureVersion: unsigned("SignatureVersion"),
    certificateUrl: unsigned("SigningCertURL"),
    signedText: [...fields].map(([name, value]) => `${name}\n${value}\n`).join(""),
  };
}
