import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Failure, UsageError } from "./failure.ts";
import { note, plain, print } from "./output.ts";
import { projectOf, type Session } from "./session.ts";

/** Rows of one call; the service takes 50,000 rows and 16 MiB. */
const ROWS = 5_000;
const STATUSES = ["active", "pending", "unsubscribed"] as const;
const COUNTS = ["imported", "unsubscribed", "suppressed", "skipped", "ignored"] as const;

interface ImportOptions {
  topic?: string[] | undefined;
  tag?: string[] | undefined;
  status?: string | undefined;
  "dry-run"?: boolean | undefined;
  project?: string | undefined;
  json: boolean;
}

/**
 * Imports a CSV file in parts. The service recognizes the columns. An import that broke off can be
 * repeated.
 */
export async function importFile(
  session: Session,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const { topic: topics, tag: tags, "dry-run": isDry = false, json } = options;
  const status = STATUSES.find((one) => one === options.status);
  if (options.status !== undefined && !status)
    throw new UsageError(`--status is one of ${STATUSES.join(", ")}`);
  const records = recordsOf(decode(file));
  const header = records.splice(0, /^sep=.\s*$/.test(records[0] ?? "") ? 2 : 1).join("");
  if (records.length === 0) throw new Failure(`${file} has no rows`, "empty_file");
  const projectId = await projectOf(session, options.project);
  const { audience, imports } = session.client.projects;
  const given = { ...(status && { status }), ...(topics && { topics }), ...(tags && { tags }) };
  const first = { ...given, file: partOf(header, records, 0), dry_run: true };
  const { needs, mapping } = await audience.import({ projectId, body: first });
  if (needs.includes("mapping") && !mapping.email)
    throw new Failure(`no column of ${file} looks like an email address`, "no_email_column");
  if (needs.includes("status") && !isDry)
    throw new Failure(
      `${file} does not say who has unsubscribed: import it with --status active if nobody has`,
      "opt_outs_unknown",
    );
  const how = {
    ...given,
    ...(needs.includes("mapping") ? { mapping } : {}),
    ...(isDry
      ? { dry_run: true }
      : { import_id: (await imports.create({ projectId, body: { name: basename(file) } })).id }),
  };
  const total = { imported: 0, unsubscribed: 0, suppressed: 0, skipped: 0, ignored: 0 };
  const rejected: { line: number; email: string; reason: string }[] = [];
  let [line, rejectedRows] = [0, 0]; // lines before the part
  for (let start = 0; start < records.length; start += ROWS) {
    const body = { ...how, file: partOf(header, records, start) };
    const answer = await audience.import({ projectId, body });
    for (const name of COUNTS) total[name] += answer[name];
    rejectedRows += answer.rejected_rows;
    for (const one of answer.rejected) rejected.push({ ...one, line: one.line + line });
    line +=
      records
        .slice(start, start + ROWS)
        .join("")
        .split("\n").length - 1;
    note(`${Math.min(start + ROWS, records.length)} of ${records.length} rows`);
  }
  for (const one of rejected) note(plain(`line ${one.line}: ${one.email}: ${one.reason}`));
  const counts = COUNTS.map((name) => `${total[name]} ${name}`).join(", ");
  const result = { dry_run: isDry, ...total, rejected_rows: rejectedRows, rejected };
  print(json, result, `${isDry ? "Would be: " : ""}${counts}, ${rejectedRows} rejected`);
}

const partOf = (header: string, records: string[], start: number) =>
  header + records.slice(start, start + ROWS).join("");

/** Reads a file as UTF-8, without its byte order mark. */
function decode(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file === "-" ? 0 : file));
  } catch (error) {
    if (
      error instanceof TypeError &&
      "code" in error &&
      error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
    )
      throw new Failure(`${file} is not UTF-8: convert it first`, "not_utf8");
    throw error;
  }
}

/** Splits CSV into its records, each with its line end. A line break in quotes ends none. */
function recordsOf(text: string): string[] {
  const records: string[] = [];
  let [from, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (text[at] !== "\n" || isQuoted) continue;
    records.push(text.slice(from, at + 1));
    from = at + 1;
  }
  if (from < text.length) records.push(`${text.slice(from)}\n`);
  return records;
}
