import { z } from "zod";
import { invalidField, refusal } from "../../../errors.ts";
import { faultOf } from "../../../messages/faults.ts";
import { findExcess } from "../../../lib/json-bounds.ts";
import { linesOf } from "../../../lib/parse-csv.ts";
import { readZip } from "../../../lib/read-zip.ts";
import type { ZipEntry } from "../../../lib/zip-format.ts";
import {
  END_FILE,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  KINDS,
  MANIFEST_FILE,
  SETTINGS_FILE,
  type Kind,
  type MovedFile,
} from "../../../services/project-transfer/index.ts";
import { uuidField } from "../../fields.ts";
import { refusalOfIssues } from "../../issues.ts";
import { BODY_BOUNDS } from "../../read-body.ts";
import { ROW_SCHEMAS, settings } from "./row-schemas.ts";

/** Limits on an imported export; our own choice. An export consists of files of about 1 MiB. */
const ZIP_BOUNDS = {
  entryBytes: 8 * 1_048_576,
  totalBytes: 4 * 1_073_741_824,
  entries: 65_535,
  ratio: 50,
};

const manifest = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION, `must be ${EXPORT_VERSION}: another version wrote the file`),
  export_id: uuidField,
  project_id: uuidField,
});

const end = z.object({ rows: z.record(z.string().regex(/^[a-z_]{1,30}$/u), z.int().min(0)) });

/**
 * Yields the files of an export as its zip arrives, one in memory at a time. A file name selects
 * only the kind of its rows. Throws 400 with the file and line of the error.
 */
export async function* readExport(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<MovedFile> {
  try {
    for await (const file of readZip(chunks, ZIP_BOUNDS)) yield readFile(file);
  } catch (error) {
    if (error instanceof RangeError) throw refusal("export_too_large", {});
    throw error instanceof SyntaxError ? refusal("not_an_export", {}) : error;
  }
}

function readFile({ name, bytes }: ZipEntry): MovedFile {
  if (name === MANIFEST_FILE) {
    const { export_id, project_id } = parse(manifest, jsonOf(bytes, name), name);
    return { is: "manifest", manifest: { exportId: export_id, projectId: project_id } };
  }
  if (name === SETTINGS_FILE) {
    const { audience_settings } = parse(settings, jsonOf(bytes, name), name);
    return { is: "settings", audience: audience_settings ?? {} };
  }
  if (name === END_FILE) return { is: "end", rows: parse(end, jsonOf(bytes, name), name).rows };
  const kind = KIND_OF_FILE.exec(name)?.groups?.["kind"];
  const known = KINDS.find((one) => one === kind);
  if (kind === undefined) throw refusal("not_an_export", {});
  if (!known) return { is: "unknown", kind };
  return { is: "rows", kind: known, rows: [...rowsOf(known, name, bytes)] };
}

const KIND_OF_FILE = /^(?<kind>[a-z_]{1,30})-\d{5}\.ndjson$/u;

function* rowsOf(kind: Kind, name: string, bytes: Uint8Array) {
  for (const { line, bytes: row } of linesOf(bytes)) {
    const where = `${name}, line ${line}`;
    if (row.length > 0) yield parse(ROW_SCHEMAS[kind], jsonOf(row, where), where);
  }
}

function jsonOf(bytes: Uint8Array, where: string): unknown {
  const excess = findExcess(bytes, BODY_BOUNDS);
  if (excess !== undefined) throw invalidField(where, excess);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw invalidField(where, faultOf("not_json"));
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw refusalOfIssues(parsed.error.issues, where);
  return parsed.data;
}
