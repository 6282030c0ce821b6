import { z } from "zod";
import { SUBSCRIBER_SORTS, type ListedSubscriber } from "../../services/subscribers/index.ts";
import { searchField, uuidField } from "../fields.ts";
import { pagesOf } from "../paging.ts";
import { statusField } from "./subscriber-answer.ts";
import { tagField } from "./tag-fields.ts";
import { fault } from "../fault.ts";

const sortField = z.enum(SUBSCRIBER_SORTS);
type Sort = z.output<typeof sortField>;

/** Default order of a list, and of a cursor without an order. */
const NEWEST = "-created_at";

const key = z.tuple([uuidField, z.string(), sortField.optional()]);
type Key = z.output<typeof key>;

const pagesIn = (sort: Sort) =>
  pagesOf("subscribers", key, ({ id, email }: ListedSubscriber): Key =>
    sort === NEWEST ? [id, email] : [id, email, sort],
  );

/** Pagination of the list in each order. */
const PAGES = {
  [NEWEST]: pagesIn(NEWEST),
  created_at: pagesIn("created_at"),
  email: pagesIn("email"),
  "-email": pagesIn("-email"),
} satisfies Record<Sort, unknown>;

/** Returns the pagination of the subscriber list in an order; newest first by default. */
export const pagesBy = (sort: Sort = NEWEST) => PAGES[sort];

/** Query of the subscriber list. A cursor is valid only for its own order. */
export const subscriberListQuery = PAGES[NEWEST]
  .query({
    status: statusField.optional(),
    search: searchField.optional(),
    tag: tagField.optional(),
    import: uuidField.optional().describe("The import that they belong to."),
    sort: sortField.optional(),
  })
  .refine(({ after, sort = NEWEST }) => !after || (after[2] ?? NEWEST) === sort, {
    path: ["after"],
    message: fault("other_order"),
  });
