import { entry } from "./entry.ts";

/** Refusals of files of subscribers. */
export const IMPORTS = {
  csv_open_quote: entry(
    400,
    "line {line}: a quote is not closed",
    "Close the quote; within a quoted cell, write a quote as two quotes.",
  ),
  csv_text_after_quote: entry(
    400,
    "line {line}: text follows a closing quote",
    "Double the quotes within the cell.",
  ),
  csv_stray_quote: entry(
    400,
    "line {line}: a quote in an unquoted cell makes the next lines part of the cell",
    "Quote the cell, and double the quotes within it.",
  ),
  empty_file: entry(
    400,
    "the file is empty: its first line must name the columns",
    "Send a file with a header row.",
  ),
  no_email_column: entry(
    400,
    "the first line must name the columns, including email",
    "Name the address column `email`.",
  ),
  too_many_columns: entry(400, "the file has more than {max} columns", "Remove columns."),
  too_many_rows: entry(400, "the file has more than {max} rows: split it", "Import it in parts."),
  twin_columns: entry(
    400,
    "the columns {one} and {other} have the same meaning: remove one of them",
    "Remove the column with the older data.",
  ),
  foreign_list: entry(
    400,
    "this file comes from another service ({service}): post it to …/audience/import, which excludes people who opted out",
    "Import the file with `POST /projects/{id}/audience/import`.",
  ),
  unknown_columns: entry(
    400,
    "the columns {columns} do not match any known service: send the file as JSON with a mapping; a call with dry_run proposes one",
    "Send a `mapping` that names the columns.",
  ),
  opt_outs_unknown: entry(
    400,
    "the file does not say who opted out: set the status of its rows",
    "Send `status` for all rows, or map the column that contains it.",
  ),
  import_adds_suppressions: entry(
    403,
    "the file adds suppressions, which requires the capability suppressions:write",
    "Use a key or a role with the capability.",
  ),
} as const;
