import { refusal } from "../../errors.ts";
import { readLimited } from "../../lib/read-limited.ts";
import type { HttpContext } from "../http-env.ts";
import { sizeInWords } from "../read-body.ts";

/** Maximum form size, which leaves room for multipart framing. */
const MAX_FORM_BYTES = 16_384;

/**
 * Reads a posted form. Mail clients post either encoding; a form of another origin has none of the
 * expected fields.
 */
export async function postedForm(c: HttpContext): Promise<URLSearchParams> {
  const read = await readLimited(c.req.raw.body, MAX_FORM_BYTES);
  if (!read.ok) throw refusal("payload_too_large", { limit: sizeInWords(MAX_FORM_BYTES) });
  return new URLSearchParams(new TextDecoder().decode(read.bytes));
}
