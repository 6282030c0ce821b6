import { errorText, logLine } from "../lib/log-line.ts";
import { writeZip } from "../lib/write-zip.ts";
import type { ZipEntry } from "../lib/zip-format.ts";
import type { HttpContext } from "./http-env.ts";

export const ZIP_TYPE = "application/zip";

/**
 * Answers with files as a zip. It makes one file at a time, when the caller has taken the one before. The
 * first is made before the answer begins, so its faults are answered; a later fault breaks the
 * connection off, and no end of the zip is faked.
 */
export async function streamZip(
  c: HttpContext,
  name: string,
  files: AsyncIterable<ZipEntry>,
): Promise<Response> {
  const parts = writeZip(files);
  let ready: IteratorResult<Uint8Array> | undefined = await parts.next();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = ready ?? (await parts.next());
          ready = undefined;
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          logLine("error", "export_failed", { list: name, error: errorText(error) });
          throw error;
        }
      },
      cancel: async () => void (await parts.return(undefined)),
    },
    { highWaterMark: 0 },
  );
  return c.body(body, 200, {
    "Content-Type": ZIP_TYPE,
    "Content-Disposition": `attachment; filename="${name}.zip"`,
  });
}
