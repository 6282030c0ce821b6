import { writeZip } from "../lib/write-zip.ts";
import type { ZipEntry } from "../lib/zip-format.ts";
import type { HttpContext } from "./http-env.ts";
import { streamParts } from "./stream-parts.ts";

export const ZIP_TYPE = "application/zip";

/** Streams files as a zip, generating one file at a time (stream-parts.ts). */
export async function streamZip(
  c: HttpContext,
  name: string,
  files: AsyncIterable<ZipEntry>,
): Promise<Response> {
  return c.body(await streamParts(name, writeZip(files)), 200, {
    "Content-Type": ZIP_TYPE,
    "Content-Disposition": `attachment; filename="${name}.zip"`,
  });
}
