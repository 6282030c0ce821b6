import { NO_FIELDS } from "../../../db/subscriber-columns.ts";
import { refusal } from "../../../errors.ts";
import { findExcess } from "../../../lib/json-bounds.ts";
import { sortTags } from "../../../lib/sort-tags.ts";
import { MOST_TAGS, parseTag } from "../../../lib/tag.ts";
import { CsvError, csvRecords } from "../../../lib/parse-csv.ts";
import type { ListRow, SubscriberStatus } from "../../../services/subscribers/index.ts";
import { metadataField, rowNameField } from "../../fields.ts";
import { UNKEPT_NAME } from "../../given.ts";
import { BODY_BOUNDS } from "../../read-body.ts";
import type { Columns } from "./list-columns.ts";
import type { Cells, ListFormat, Said } from "./list-format.ts";

/** Maximum number of columns; our own choice. */
const MAX_COLUMNS = 500;

/** Returns the column names. Throws 400 for an empty file. */
export function headerOf(file: Uint8Array): string[] {
  for (const { cells } of recordsOf(file)) {
    if (cells.length > MAX_COLUMNS) throw refusal("too_many_columns", { max: MAX_COLUMNS });
    return cells.map(nameOfColumn);
  }
  throw refusal("empty_file", {});
}

/** A mapping is keyed by column name, and no object can hold every name (API reference §1.3). */
function nameOfColumn(cell: string): string {
  const name = cell.trim();
  return name === UNKEPT_NAME ? "proto" : name;
}

/** Returns the number of rows below the header. */
export function countRows(file: Uint8Array): number {
  let records = 0;
  for (const _record of recordsOf(file)) records += 1;
  return Math.max(0, records - 1);
}

/** Yields the records of a file. Throws 400 for an invalid one, with its line. */
export function* recordsOf(file: Uint8Array) {
  try {
    yield* csvRecords(file);
  } catch (error) {
    throw error instanceof CsvError ? refusal(error.code, { line: error.line }) : error;
  }
}

/** Rows of the file, converted to the service's terms. Each iteration parses them again. */
export class ListRows {
  readonly #file: Uint8Array;
  readonly #format: ListFormat;
  readonly #columns: Columns;
  readonly #kept: SubscriberStatus;
  readonly #tags: string[];

  /** `kept` is the status of rows that do not restrict mailing, and `tags` those of all rows. */
  constructor(
    file: Uint8Array,
    format: ListFormat,
    columns: Columns,
    { kept, tags }: { kept: SubscriberStatus; tags: string[] },
  ) {
    this.#file = file;
    this.#format = format;
    this.#columns = columns;
    this.#kept = kept;
    this.#tags = tags;
  }

  *[Symbol.iterator](): Generator<ListRow> {
    let isHeader = true;
    for (const { line, cells } of recordsOf(this.#file)) {
      if (isHeader) isHeader = false;
      else yield this.#rowOf(cells, line);
    }
  }

  #rowOf(cells: string[], line: number): ListRow {
    const { email, names = [], json, tags, topics, says } = this.#format;
    const { places, metadata } = this.#columns;
    const cell: Cells = (column) => cells[places.get(column) ?? -1]?.trim() ?? "";
    const given = metadata.map(({ place, key }) => [key, cells[place]?.trim() ?? ""] as const);
    const facts = metadataField.safeParse({
      ...Object.fromEntries(given.filter(([, text]) => text !== "")),
      ...(json !== undefined && objectIn(cell(json), json)),
    });
    const said = says(cell, (column) => places.has(column));
    return {
      ...NO_FIELDS,
      email: cell(email),
      name: nameOf(names.map(cell)),
      metadata: facts.success ? facts.data : {},
      tags: sortTags([...this.#tags, ...(tags === undefined ? [] : tagsIn(cell(tags)))]).slice(
        0,
        MOST_TAGS,
      ),
      topics: topics !== undefined && cell(topics) ? wordsIn(cell(topics)) : undefined,
      outcome: this.#outcomeOf(said, facts.success),
      line,
    };
  }

  /** An opt-out wins over the rest of its row. */
  #outcomeOf(said: Said, hasMetadata: boolean): ListRow["outcome"] {
    if (said === "unclear") return "invalid_status";
    if (!hasMetadata && (said === "kept" || said === "active" || said === "pending"))
      return "invalid_metadata";
    return said === "kept" ? this.#kept : said;
  }
}

/** Joins the parts of a name; invalid text counts as empty. */
function nameOf(parts: string[]): string {
  const parsed = rowNameField.safeParse(parts.filter((part) => part !== "").join(" "));
  return parsed.success ? parsed.data : "";
}

/** Returns the fields of a JSON object; any other text is kept as text. */
function objectIn(text: string, column: string): Record<string, unknown> {
  if (text === "") return {};
  const excess = findExcess(new TextEncoder().encode(text), BODY_BOUNDS);
  if (excess !== undefined) return { [column]: text };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { [column]: text };
    return { ...value };
  } catch {
    return { [column]: text };
  }
}

/**
 * Parses tags as services write them: `"VIP","Blog"`, `VIP, Blog` or `VIP;Blog`. Invalid tags are
 * dropped.
 */
const tagsIn = (text: string): string[] => wordsIn(text).flatMap((part) => parseTag(part) ?? []);

/** Returns the words in a cell, separated by commas or semicolons. */
const wordsIn = (text: string): string[] =>
  text
    .replaceAll('"', "")
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
