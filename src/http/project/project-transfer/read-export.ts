import { z } from "zod";
import { invalidField, refusal } from "../../../errors.ts";
import { gunzip } from "../../../lib/gzip.ts";
import { findExcess } from "../../../lib/json-bounds.ts";
import { readLines } from "../../../lib/read-lines.ts";
import { faultOf } from "../../../messages/faults.ts";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  KINDS,
  type ExportLine,
} from "../../../services/project-transfer/index.ts";
import { importedSettings } from "../audience-settings.ts";
import { importedMailSettings } from "../mail-settings.ts";
import { uuidField } from "../../fields.ts";
import { refusalOfIssues } from "../../issues.ts";
import { BODY_BOUNDS } from "../../read-body.ts";
import { ROW_SCHEMAS } from "./row-schemas.ts";

/** The maximum size of a line: as an escaped string, it stays below D1's limit per value. */
const MAX_LINE_BYTES = 1_900_000;

const header = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION, `must be ${EXPORT_VERSION}: another version wrote the file`),
  id: uuidField,
});

const end = z.object({ lines: z.int() });

/** Yields the lines of an export as it arrives. Throws 400 with the number of a bad line. */
export async function* readExport(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ExportLine> {
  let count = 0;
  try {
    for await (const bytes of readLines(gunzip(chunks), MAX_LINE_BYTES)) {
      count += 1;
      yield lineOf(bytes, `line ${count}`);
    }
  } catch (error) {
    if (error instanceof RangeError)
      throw invalidField(`line ${count + 1}`, faultOf("too_long", { max: MAX_LINE_BYTES }));
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "Z_BUF_ERROR") throw refusal("export_incomplete", {});
    throw code.startsWith("Z_") ? refusal("not_an_export", {}) : error;
  }
}

function lineOf(bytes: Uint8Array, where: string): ExportLine {
  const [[kind, value] = ["", undefined], ...others] = Object.entries(jsonOf(bytes, where) ?? {});
  if (kind === "export") return { is: "export", exportId: parse(header, value, where).id };
  if (kind === "settings")
    return { is: "settings", audience: parse(importedSettings, value, where) };
  if (kind === "mail_settings")
    return { is: "mail_settings", mail: parse(importedMailSettings, value, where) };
  if (kind === "end") return { is: "end", lines: parse(end, value, where).lines };
  const known = KINDS.find((one) => one === kind);
  if (!known || others.length > 0)
    throw invalidField(where, faultOf("not_in_list", { values: KINDS.join(", ") }));
  const row = parse(ROW_SCHEMAS[known], value, where);
  return { is: "row", kind: known, row, bytes: bytes.length };
}

function jsonOf(bytes: Uint8Array, where: string): object | null {
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
