import { z } from "zod";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { withoutEmpty } from "../given.ts";
import { refusalOfIssues } from "../issues.ts";
import type { Asked } from "./door-route.ts";

/** Page sizes of their lists. */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** The largest page of our lists (API reference §1.4). */
const OUR_MAX_LIMIT = 200;
/** The pages of ours that one call reads, among which `before` finds its entry; our own choice. */
const MOST_PAGES = 10;

const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).optional(),
  after: z.string().optional(),
  before: z.string().optional(),
});

type PageAsked = z.output<typeof pageQuery>;

interface Listed {
  id: string;
}

/** A page of a list, newest first. */
interface Page<Row> {
  rows: Row[];
  hasMore: boolean;
}

/** A list of ours that pages by cursor, newest first. */
interface LongList {
  /** Path of the list, which may have a query. */
  path: string;
  /** The field of the answer that has the entries. */
  field: string;
  /** Returns the cursor of the page after the entry with this ID. */
  cursorOf: (id: string) => string | null | Promise<string | null>;
  /** True if their list has no default limit. */
  isWhole?: boolean;
}

/** Reads the page that a client asks for. Throws invalid_request. */
function pageAskedBy({ c }: Asked): PageAsked {
  const asked = pageQuery.safeParse(withoutEmpty(c.req.query()));
  if (!asked.success) throw refusalOfIssues(asked.error.issues);
  const { after, before } = asked.data;
  if (after !== undefined && before !== undefined)
    throw invalidField("before", faultOf("not_with", { field: "after" }));
  return asked.data;
}

/** Cuts a page out of the newest entries of a list. Throws invalid_request for an unknown entry. */
function cutPage<Row extends Listed>(
  rows: Row[],
  { limit = rows.length, after, before }: PageAsked,
  isCut = false,
): Page<Row> {
  const at = rows.findIndex(({ id }) => id === (after ?? before));
  if (at === -1 && before !== undefined) throw invalidField("before", faultOf("invalid_cursor"));
  if (at === -1 && after !== undefined) throw invalidField("after", faultOf("invalid_cursor"));
  if (before !== undefined) return { rows: rows.slice(0, at).slice(-limit), hasMore: at > limit };
  const rest = rows.slice(at + 1);
  return { rows: rest.slice(0, limit), hasMore: isCut || rest.length > limit };
}

/** Returns the answer of their list for all entries of a short one of ours. */
export function listAll<Row extends Listed, Shown>(
  asked: Asked,
  rows: Row[],
  present: (row: Row) => Shown,
) {
  return listOf(cutPage(rows, pageAskedBy(asked)), present);
}

/** Returns the answer of their list for one of ours that pages by cursor. */
export async function listPage(
  asked: Asked,
  { path, field, cursorOf, isWhole = false }: LongList,
  present: (row: never) => object,
) {
  const most = isWhole ? MOST_PAGES * OUR_MAX_LIMIT : DEFAULT_LIMIT;
  const { limit = most, after, before } = pageAskedBy(asked);
  const size = before === undefined ? Math.min(limit, OUR_MAX_LIMIT) : OUR_MAX_LIMIT;
  const rows: Listed[] = [];
  const isDone = () =>
    before === undefined ? rows.length >= limit : rows.some(({ id }) => id === before);
  let next: string | null = after === undefined ? "" : await cursorOf(after);
  for (let page = 0; page < MOST_PAGES && next !== null && !isDone(); page += 1) {
    const query: string = `${path.includes("?") ? "&" : "?"}limit=${size}&after=${next}`;
    const answer = await asked.call<Record<string, unknown>>("GET", path + query);
    rows.push(...(answer[field] as Listed[])); // the list's own answer schema
    next = answer["next"] as string | null;
  }
  const page = cutPage(rows, { limit, before }, next !== null);
  return listOf(page, present as (row: Listed) => object);
}

const listOf = <Row, Shown>({ rows, hasMore }: Page<Row>, present: (row: Row) => Shown) => ({
  object: "list",
  has_more: hasMore,
  data: rows.map(present),
});
