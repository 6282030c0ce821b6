import { z } from "zod";
import { MOST_CHANGED } from "../../services/subscribers/index.ts";
import { searchField, uuidField } from "../fields.ts";
import { listField, objectField } from "../given.ts";
import { tagField, tagsField } from "./tag-fields.ts";
import { whereField } from "./where-field.ts";
import { consentsField } from "./subscriber-topics.ts";
import { statusField } from "./subscriber-answer.ts";

const filterField = objectField({
  status: statusField.optional(),
  search: searchField.optional(),
  tag: tagField.optional(),
  where: whereField.optional(),
  all: z.literal(true).optional(),
})
  .refine(
    (filter) => Object.values(filter).some((value) => value !== undefined),
    "must have a status, a search, a tag, a where, or all: true",
  )
  .refine(
    ({ where, ...others }) =>
      where === undefined || Object.values(others).every((value) => value === undefined),
    "must have nothing beside where",
  );

/** A change of many subscribers: those with these ids, or those that a filter finds. */
export const bulkBody = z
  .object({
    action: z.enum(["set_status", "delete", "add_tags", "remove_tags", "set_topics"]),
    status: statusField.optional(),
    tags: tagsField.optional(),
    topics: consentsField.optional(),
    ids: listField(uuidField, MOST_CHANGED, `must have at most ${MOST_CHANGED} ids`).optional(),
    filter: filterField.optional(),
  })
  .transform(({ action, status, tags, topics, ids, filter }, context) => {
    const refuse = (path: string, message: string) => {
      context.addIssue({ code: "custom", path: [path], message });
      return z.NEVER;
    };
    if ((ids === undefined) === (filter === undefined))
      return refuse("ids", "give either ids or a filter");
    if (action === "set_status" && status === undefined) return refuse("status", "is required");
    if (action !== "set_status" && status !== undefined)
      return refuse("status", "belongs to set_status; a filter has a status of its own");
    const isTagging = action === "add_tags" || action === "remove_tags";
    if (!isTagging && tags !== undefined)
      return refuse("tags", "belong to add_tags and remove_tags; a filter has a tag of its own");
    if (isTagging && (tags === undefined || tags.length === 0))
      return refuse("tags", "are required");
    if ((action === "set_topics") !== (topics !== undefined))
      return refuse("topics", "belong to set_topics, which needs them");
    if (topics !== undefined && Object.keys(topics).length === 0)
      return refuse("topics", "name at least one topic");
    const chosen = ids ? { ids } : { filter: filter ?? {} };
    if (topics !== undefined) return { chosen, consents: topics };
    if (action === "add_tags") return { chosen, retag: { add: tags ?? [] } };
    if (action === "remove_tags") return { chosen, retag: { remove: tags ?? [] } };
    return { chosen, change: status === undefined ? ("delete" as const) : { to: status } };
  });
