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

/** A project's list as a CSV download. */
interface ProjectCsv<Row, Key> extends Pick<CsvExport<Row, Key>, "columns" | "read" | "present"> {
  ctx: Ctx;
  project: ProjectRow;
}

/** Maximum length of a cursor; the longest key contains an email address. */
const MAX_CURSOR_CHARACTERS = 1_000;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the JSON value encoded in a cursor; undefined for invalid text. */
function decode(cursor: string): unknown {
  const decoded = cursor.length <= MAX_CURSOR_CHARACTERS && fromBase64Url(cursor);
  if (!decoded || !decoded.ok) return undefined;
  try {
    return JSON.parse(decoder.decode(decoded.bytes));
  } catch {
    return undefined; // a forged cursor: the key's schema rejects it
  }
}

/** Page fields of a list response besides its items (API reference §1.4). */
export const pageAnswer = {
  total: countAnswer.optional(),
  next: z.string().nullable().optional(),
};

/** The two ways to request a page: a cursor or an offset. */
interface Chosen {
  after?: unknown;
  offset?: unknown;
}

interface PageFields {
  total?: number;
  next?: string | null;
}

/**
 * Returns the keyset pagination of a list that grows (API reference §1.4). A cursor is the list's
 * name and the key of the last item of a page. It names a position and no project, so it needs no
 * signature: a forged one leads only to another position in the caller's own list.
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
     * Streams the list as CSV from the position of a page until `read` finds no more items, and
     * records the download in the project's audit trail.
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
    /** Returns the cursor of the page after this key; null at the end of the list. */
    cursorOf: (last: Key | null) => (last === null ? null : encode([list, last])),
    /**
     * Returns the query schema of a list that pages by `after` only; it rejects `offset`, because
     * ignoring it would return the first page again and again.
     */
    queryAfter: <Filters extends z.core.$ZodLooseShape>(filters: Filters) =>
      z.object({
        limit: pageQuery.shape.limit,
        offset: noOffset,
        after: after.optional(),
        ...filters,
      }),
    /** Returns the query schema: the page, and the filters of the list. */
    query: <Filters extends z.core.$ZodLooseShape>(filters: Filters) =>
      z
        .object({ ...pageQuery.shape, after: after.optional(), ...filters })
        .refine(({ after, offset }: Chosen) => after === undefined || offset === 0, {
          path: ["offset"],
          message: fault("not_with", { field: "after" }),
        }),
    /** Returns the items of the page, and its total or next cursor. */
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
