import { z, type ZodType } from "zod";
import type { ListPage } from "../lib/page.ts";
import { fromBase64Url, toBase64Url } from "../lib/encoding.ts";
import { countAnswer } from "./answer-fields.ts";
import { noOffset, pageQuery } from "./fields.ts";
import type { HttpContext } from "./http-env.ts";
import type { Ctx } from "../context.ts";
import type { ProjectRow } from "../services/access/index.ts";
import { noteListExport } from "../services/audit/index.ts";
import { streamCsv, type CsvExport } from "./stream-csv.ts";
import { fault, refuse } from "./fault.ts";

/** A list of a project as CSV. */
interface ProjectCsv<Row, Key> extends Pick<CsvExport<Row, Key>, "columns" | "read" | "present"> {
  ctx: Ctx;
  project: ProjectRow;
}

/** The longest cursor; the longest key holds an address. */
const MAX_CURSOR_CHARACTERS = 1_000;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the JSON value that a cursor carries; undefined for a text that is not a cursor. */
function decode(cursor: string): unknown {
  const decoded = cursor.length <= MAX_CURSOR_CHARACTERS && fromBase64Url(cursor);
  if (!decoded || !decoded.ok) return undefined;
  try {
    return JSON.parse(decoder.decode(decoded.bytes));
  } catch {
    return undefined; // a hostile one: the schema of the key refuses it
  }
}

/** The fields of a page's answer besides its entries (API reference §1.4). */
export const pageAnswer = {
  total: countAnswer.optional(),
  next: z.string().nullable().optional(),
};

/** The two ways to name a page, of which a request uses one. */
interface Chosen {
  after?: unknown;
  offset?: unknown;
}

interface PageFields {
  total?: number;
  next?: string | null;
}

/**
 * Returns the pages of a list that grows (API reference §1.4). A cursor is the name of the list and
 * the key of the last entry of a page. It names a place and no project, so it needs no signature:
 * a forged one leads to another place in the caller's own list.
 */
export function pagesOf<Row, Key>(list: string, key: ZodType<Key>, keyOf: (row: Row) => Key) {
  const carried = z.tuple([z.literal(list), key]);
  const after = z.string().transform((text, context): Key | null => {
    if (text === "") return null;
    const parsed = carried.safeParse(decode(text));
    if (parsed.success) return parsed.data[1];
    return refuse(context, fault("invalid_cursor"));
  });
  return {
    /**
     * Answers with the list from a page's place on as CSV, as long as `read` finds entries, and
     * notes it in the audit trail of the project.
     */
    csv: async (
      c: HttpContext,
      { after = null }: ListPage<Key>,
      { ctx, project, ...given }: ProjectCsv<Row, Key>,
    ) => {
      const answer = await streamCsv(c, { name: list, after, keyOf, ...given });
      await noteListExport(ctx, project.id, list);
      return answer;
    },
    /** Returns the cursor of the page after this key; null at the end. */
    cursorOf: (last: Key | null) => (last === null ? null : encode([list, last])),
    /**
     * Returns the schema of the query of a list that goes on with `after` alone. With an offset a
     * caller would read its first page again and again.
     */
    queryAfter: <Filters extends z.core.$ZodLooseShape>(filters: Filters) =>
      z.object({
        limit: pageQuery.shape.limit,
        offset: noOffset,
        after: after.optional(),
        ...filters,
      }),
    /** Returns the schema of the query: the page, and the filters of the list. */
    query: <Filters extends z.core.$ZodLooseShape>(filters: Filters) =>
      z
        .object({ ...pageQuery.shape, after: after.optional(), ...filters })
        .refine(({ after, offset }: Chosen) => after === undefined || offset === 0, {
          path: ["offset"],
          message: fault("not_with", { field: "after" }),
        }),
    /** Returns the entries to show, and the total or the next cursor of their page. */
    cut(
      page: ListPage<Key>,
      rows: Row[],
      total: number | undefined,
    ): { shown: Row[]; fields: PageFields } {
      const counted = total === undefined ? {} : { total };
      if (page.after === undefined) return { shown: rows, fields: counted };
      const shown = rows.slice(0, page.limit);
      const last = rows.length > page.limit ? shown.at(-1) : undefined;
      const next = last === undefined ? null : encode([list, keyOf(last)]);
      return { shown, fields: { ...counted, next } };
    },
  };
}

const encode = (value: unknown) => toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
