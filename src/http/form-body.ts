/*
 * Bodies that plain HTML forms post (HTML standard, "Form submission"). A form has no JSON and no
 * headers, so names of fields stand for both.
 */
import { refusal } from "../errors.ts";
import type { HttpContext } from "./http-env.ts";
import type { BodyTypes } from "./read-body.ts";

/** The field with the public key of a form, which cannot send `Authorization`. */
const KEY_FIELD = "public_key";
const PUBLIC_KEY = /^pk_\S+$/;

/** Fields that are lists, even with one value. An empty value adds nothing to them. */
const LISTS = new Set(["topics"]);

const METADATA = /^metadata\.(.+)$/s;

/**
 * Parses a posted form to what its JSON would be: `metadata.<key>` is a part of `metadata`, "true"
 * and "false" are booleans, and an empty field counts as omitted. Files are ignored. A public key
 * becomes the credential of the request. Throws body_is_form for malformed multipart.
 */
async function parseForm(bytes: Uint8Array, c: HttpContext): Promise<Record<string, unknown>> {
  const headers = { "Content-Type": c.req.header("Content-Type") ?? "" };
  const form = await new Response(bytes, { headers }).formData().catch(() => {
    throw refusal("body_is_form", {});
  });
  const fields = new Map<string, unknown>();
  const metadata = new Map<string, string>();
  const lists = new Map<string, string[]>();
  for (const [name, value] of form) {
    if (typeof value !== "string") continue;
    const [, key] = METADATA.exec(name) ?? [];
    if (LISTS.has(name)) lists.set(name, lists.get(name) ?? []);
    if (value === "") continue;
    if (name === KEY_FIELD) c.set("publicKey", PUBLIC_KEY.exec(value)?.[0]);
    else if (key !== undefined) metadata.set(key, value);
    else if (LISTS.has(name)) lists.get(name)?.push(value);
    else fields.set(name, BOOLEANS.get(value) ?? value);
  }
  if (metadata.size > 0) fields.set("metadata", Object.fromEntries(metadata));
  return Object.fromEntries([...fields, ...lists]);
}

const BOOLEANS = new Map([
  ["true", true],
  ["false", false],
]);

/** `bodyTypes` of a route that plain forms may post to; `form-answers.ts` answers their browsers. */
export const FORM_BODY: BodyTypes = {
  "application/x-www-form-urlencoded": parseForm,
  "multipart/form-data": parseForm,
};
