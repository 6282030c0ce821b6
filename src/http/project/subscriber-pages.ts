import { z } from "zod";
import { SUBSCRIBER_SORTS, type SubscriberRow } from "../../services/subscribers/index.ts";
import { searchField, uuidField } from "../fields.ts";
import { pagesOf } from "../paging.ts";
import { statusField } from "./subscriber-answer.ts";
import { tagField } from "./tag-fields.ts";
import { fault } from "../fault.ts";

const sortField = z.enum(SUBSCRIBER_SORTS);
type Sort = z.output<typeof sortField>;

/** The order of a list that names none, and of a cursor that names none. */
const NEWEST = "-created_at";

const key = z.tuple([uuidField, z.string(), sortField.optional()]);
type Key = z.output<typeof key>;

const pagesIn = (sort: Sort) =>
  pagesOf("subscribers", key, ({ id, email }: SubscriberRow): Key =>
    sort === NEWEST ? [id, email] : [id, email, sort],
  );

/** The pages of the list in each of its orders. */
const PAGES = {
  [NEWEST]: pagesIn(NEWEST),
  created_at: pagesIn("created_at"),
  email: pagesIn("email"),
  "-email": pagesIn("-email"),
} satisfies Record<Sort, unknown>;

/** Returns the pages of the list of subscribers in an order; newest first without one. */
export const pagesBy = (sort: Sort = NEWEST) => PAGES[sort];

/** The query of the list of subscribers. A cursor holds in its own order alone. */
export const subscriberListQuery = PAGES[NEWEST]
  .query({
    status: statusField.optional(),
    search: searchField.optional(),
    tag: tagField.optional(),
    sort: sortField.optional(),
  })
  .refine(({ after, sort = NEWEST }) => !after || (after[2] ?? NEWEST) === sort, {
    path: ["after"],
    message: fault("other_order"),
  });
