import { jsonObject } from "../../../lib/json-object.ts";

/** Contents of the first line of an export (API reference §9.8). */
export interface ExportFacts {
  /** Name of the exported project. */
  project: string;
  /** Time of the export, in milliseconds since 1970. */
  exportedAt: number;
}

/** Reads the first line of an export in the browser; undefined for another or an unreadable file. */
export const readExport = (file: Blob): Promise<ExportFacts | undefined> =>
  readFacts(file).catch(() => undefined);

async function readFacts(file: Blob): Promise<ExportFacts | undefined> {
  const unpacked = file.stream().pipeThrough(new DecompressionStream("gzip"));
  const reader = unpacked.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  await reader.cancel();
  const [line = ""] = value.split("\n", 1);
  const { format, project, exported_at: exportedAt } = Object(jsonObject(line)?.["export"]);
  if (format !== "postrider.project") return undefined;
  return typeof project === "string" && typeof exportedAt === "number"
    ? { project, exportedAt }
    : undefined;
}
