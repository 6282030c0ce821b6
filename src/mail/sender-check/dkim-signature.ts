/* Parses DKIM-Signature fields (RFC 6376 §3.5). */
import { isDnsName, readTags } from "./read-records.ts";
import { type Canonicalization, valueOf } from "./mail-fields.ts";

/** Labels of a domain name. */
const SELECTOR = /^(?=.{1,200}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/** The content of a DKIM-Signature, unverified. */
export interface DkimSignature {
  domain: string;
  selector: string;
  algorithm: string;
  /** Names of the signed fields in lowercase, in signing order. */
  signedFields: string[];
  fieldForm: Canonicalization;
  bodyForm: Canonicalization;
  bodyHash: string;
  signature: string;
  raw: string;
}

const isForm = (text: string | undefined): text is Canonicalization =>
  text === "simple" || text === "relaxed";

/** Parses a field; undefined if verifiers ignore it. */
export function parseSignature(raw: string): DkimSignature | undefined {
  const tags = readTags(valueOf(raw));
  const tag = (name: string) => tags?.get(name) ?? "";
  const domain = tag("d").toLowerCase();
  const selector = tag("s").toLowerCase();
  if (!tags || !isDnsName(domain) || !SELECTOR.test(selector)) return undefined;
  const [fieldForm, bodyForm = "simple"] = (tag("c") || "simple").toLowerCase().split("/");
  if (!isForm(fieldForm) || !isForm(bodyForm)) return undefined;
  return {
    domain,
    selector,
    algorithm: tag("a").toLowerCase(),
    signedFields: tag("h")
      .toLowerCase()
      .split(":")
      .map((name) => name.trim()),
    fieldForm,
    bodyForm,
    bodyHash: tag("bh").replaceAll(/\s/g, ""),
    signature: tag("b").replaceAll(/\s/g, ""),
    raw,
  };
}
