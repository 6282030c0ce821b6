import { z } from "zod";
import { MOST_CHANGED } from "../../services/subscribers/index.ts";
import { searchField, uuidField } from "../fields.ts";
import { listField, objectField } from "../given.ts";
import { statusField } from "./subscriber-answer.ts";

const filterField = objectField({
  status: statusField.optional(),
  search: searchField.optional(),
  all: z.literal(true).optional(),
}).refine(
  (filter) => Object.values(filter).some((value) => value !== undefined),
  "must have a status, a search, or all: true",
);

/** A change of many subscribers: those with these ids, or those that a filter finds. */
export const bulkBody = z
  .object({
    action: z.enum(["set_status", "delete"]),
    status: statusField.optional(),
    ids: listField(uuidField, MOST_CHANGED, `must have at most ${MOST_CHANGED} ids`).optional(),
    filter: filterField.optional(),
  })
  .transform(({ action, status, ids, filter }, context) => {
    const refuse = (path: string, message: string) => {
      context.addIssue({ code: "custom", path: [path], message });
      return z.NEVER;
    };
    if ((ids === undefined) === (filter === undefined))
      return refuse("ids", "give either ids or a filter");
    if (action === "set_status" && status === undefined) return refuse("status", "is required");
    if (action === "delete" && status !== undefined)
      return refuse("status", "belongs to set_status; a filter has a status of its own");
    const change = status === undefined ? ("delete" as const) : { to: status };
    return { chosen: ids ? { ids } : { filter: filter ?? {} }, change };
  });
