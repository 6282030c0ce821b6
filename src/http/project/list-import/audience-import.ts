import { z } from "zod";
import { refusal } from "../../../errors.ts";
import { listOf } from "../../../messages/lists.ts";
import { SUBSCRIBER_STATUSES } from "../../../db/schema/index.ts";
import { importList, OUTCOMES, type ListResult } from "../../../services/subscribers/index.ts";
import { MOST_TOPICS } from "../../../services/topics/index.ts";
import { requireRoom, selectRoom } from "../../../services/storage/index.ts";
import { countAnswer } from "../../answer-fields.ts";
import { uuidField } from "../../fields.ts";
import { listField } from "../../given.ts";
import { tagsField } from "../tag-fields.ts";
import { route } from "../../route/route.ts";
import { writtenAs } from "../../route/written-as.ts";
import { guardOptOuts } from "./guard-opt-outs.ts";
import { placeColumns } from "./list-columns.ts";
import { applyMapping, mappingField } from "./list-mapping.ts";
import { proposeMapping, shownMapping } from "./propose-mapping.ts";
import { countRows, headerOf, ListRows } from "./read-list.ts";
import { FORMAT_NAMES, formatNamed, recognizeFormat } from "./recognize-format.ts";
import { cutText } from "../../../lib/cut-text.ts";

/** Maximum body size and number of rows of an import (API reference §4.2). */
const MAX_IMPORT_BYTES = 16 * 1_048_576;
const MAX_ROWS = 50_000;

const formatField = z.enum(FORMAT_NAMES);
const statusField = z.enum(SUBSCRIBER_STATUSES);

const importBody = z.object({
  file: writtenAs(
    z
      .union([z.string(), z.instanceof(Uint8Array)])
      .transform((file) =>
        typeof file === "string" ? new TextEncoder().encode(file.replace(/^\uFEFF/, "")) : file,
      ),
    z.string().describe("The CSV file."),
  ),
  format: formatField.optional(),
  mapping: mappingField.optional(),
  status: statusField.optional(),
  topics: listField(z.string().min(1), MOST_TOPICS).optional(),
  tags: tagsField.default([]),
  import_id: uuidField.optional(),
  dry_run: z.boolean().default(false),
});

const importQuery = z.object({
  format: formatField.optional(),
  status: statusField.optional(),
  import_id: uuidField.optional(),
  dry_run: z.enum(["true", "false"]).optional(),
});

const NEEDS = ["mapping", "status", "suppressions:write"] as const;
type Need = (typeof NEEDS)[number];

const importAnswer = z.strictObject({
  dry_run: z.boolean(),
  format: formatField.nullable(),
  columns: z.array(z.string()),
  mapping: z.strictObject({
    email: z.string().optional(),
    name: z.array(z.string()),
    tags: z.string().optional(),
    topics: z.string().optional(),
    metadata: z.record(z.string(), z.string()),
  }),
  needs: z.array(z.enum(NEEDS)),
  rows: countAnswer,
  imported: countAnswer,
  unsubscribed: countAnswer,
  suppressed: countAnswer,
  skipped: countAnswer,
  duplicates: countAnswer.describe("Skipped rows whose address is in an earlier row, too."),
  ignored: countAnswer,
  rejected_rows: countAnswer,
  rejected: z.array(
    z.strictObject({
      line: countAnswer,
      email: z.string(),
      reason: z.enum([
        "invalid_syntax",
        "invalid_status",
        "invalid_metadata",
        "no_mx",
        "disposable",
      ]),
    }),
  ),
  sample: z.array(
    z.strictObject({
      email: z.string(),
      name: z.string(),
      outcome: z.enum(OUTCOMES),
      tags: z.array(z.string()),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
});

const NOTHING: ListResult = {
  rows: 0,
  counts: {
    imported: 0,
    unsubscribed: 0,
    suppressed: 0,
    skipped: 0,
    duplicates: 0,
    ignored: 0,
    rejected: 0,
  },
  rejected: [],
  sample: [],
  suppresses: false,
};

/** Maximum number of columns that an error message names. */
const MOST_NAMED = 5;

function unknownColumns(header: readonly string[]) {
  const named = header.slice(0, MOST_NAMED).map((name) => JSON.stringify(cutText(name, 100)));
  return refusal("unknown_columns", { columns: listOf(named, header.length) });
}

export const audienceImportRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/audience/import",
    operation: "projects.audience.import",
    summary: "Imports a list exported by another service, or shows what that would do.",
    example: {
      body: { file: "email,created\nann@example.com,1763805000\n", dry_run: true },
    },
    capability: "subscribers:write",
    limit: "import",
    body: importBody,
    bodyTypes: { "text/csv": (file: Uint8Array) => ({ file }) },
    query: importQuery,
    maxBodyBytes: MAX_IMPORT_BYTES,
    answer: importAnswer,
    reads: ({ deps, projectId }) => [selectRoom(deps, projectId)],
    handle: async ({ ctx, project, body, query, capabilities, reads: [[storage]] }) => {
      const { file } = body;
      const name = query.format ?? body.format;
      const isDryRun = query.dry_run === "true" || body.dry_run;
      if (!isDryRun) requireRoom(ctx.deps, storage);
      const status = query.status ?? body.status;
      const header = headerOf(file);
      if (countRows(file) > MAX_ROWS) throw refusal("too_many_rows", { max: MAX_ROWS });
      const known = name === undefined ? recognizeFormat(header) : formatNamed(name, header);
      const shown = { dry_run: isDryRun, format: known?.name ?? null, columns: header };
      if (!known && !body.mapping) {
        if (!isDryRun) throw unknownColumns(header);
        const unread = present({ ...NOTHING, rows: countRows(file) });
        return {
          ...shown,
          mapping: proposeMapping(header),
          needs: ["mapping"] satisfies Need[],
          ...unread,
        };
      }
      const mapping = body.mapping ?? {};
      const mapped = applyMapping(known, mapping, header);
      const { keys } = mapped;
      const format = guardOptOuts(mapped.format, header, mapping.status !== undefined);
      const columns = placeColumns(header, format, keys);
      const needsStatus =
        status === undefined && !format.tellsWhoLeft((column) => columns.places.has(column));
      if (needsStatus && !isDryRun) throw refusal("opt_outs_unknown", {});
      const maySuppress = capabilities.includes("suppressions:write");
      const result = await importList(ctx, project, {
        rows: new ListRows(file, format, columns, { kept: status ?? "active", tags: body.tags }),
        origin: known?.name ?? "import",
        topics: body.topics,
        importId: query.import_id ?? body.import_id,
        isDryRun,
        maySuppress,
      });
      const needs: Need[] = [];
      if (needsStatus) needs.push("status");
      if (result.suppresses && !maySuppress) needs.push("suppressions:write");
      return {
        ...shown,
        mapping: shownMapping(header, format, columns),
        needs,
        ...present(result),
      };
    },
  }),
];

const present = ({
  rows,
  counts: { rejected, ...counts },
  rejected: told,
  sample,
}: ListResult) => ({
  rows,
  ...counts,
  rejected_rows: rejected,
  rejected: told,
  sample,
});
