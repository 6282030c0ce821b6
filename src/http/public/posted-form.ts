import { refusal } from "../../errors.ts";
import { readLimited } from "../../lib/read-limited.ts";
import type { HttpContext } from "../http-env.ts";
import { sizeInWords } from "../read-body.ts";

/** The largest form of a page; it needs room for a multipart frame. */
const MAX_FORM_BYTES = 16_384;

/**
 * Reads the form of a page for subscribers. Mail programs post theirs in either encoding; one that
 * is not of these pages has none of their fields.
 */
export async function postedForm(c: HttpContext): Promise<URLSearchParams> {
  const read = await readLimited(c.req.raw.body, MAX_FORM_BYTES);
  if (!read.ok) throw refusal("payload_too_large", { limit: sizeInWords(MAX_FORM_BYTES) });
  return new URLSearchParams(new TextDecoder().decode(read.bytes));
}
