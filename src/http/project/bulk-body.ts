import { z } from "zod";
import { MOST_CHANGED } from "../../services/subscribers/index.ts";
import { searchField, uuidField } from "../fields.ts";
import { listField, objectField } from "../given.ts";
import { tagField, tagsField } from "./tag-fields.ts";
import { whereField } from "./where-field.ts";
import { consentsField } from "./subscriber-topics.ts";
import { statusField } from "./subscriber-answer.ts";
import { fault } from "../fault.ts";

const filterField = objectField({
  status: statusField.optional(),
  search: searchField.optional(),
  tag: tagField.optional(),
  import: uuidField.optional(),
  where: whereField.optional(),
  all: z.literal(true).optional(),
})
  .refine(
    (filter) => Object.values(filter).some((value) => value !== undefined),
    fault("one_of", { fields: "status, search, tag, import, where, all" }),
  )
  .refine(
    ({ where, ...others }) =>
      where === undefined || Object.values(others).every((value) => value === undefined),
    fault("where_alone"),
  );

/** A bulk change of subscribers, selected by ids or by a filter. */
export const bulkBody = z
  .object({
    action: z.enum(["set_status", "delete", "add_tags", "remove_tags", "set_topics"]),
    status: statusField.optional(),
    tags: tagsField.optional(),
    topics: consentsField.optional(),
    ids: listField(uuidField, MOST_CHANGED).optional(),
    filter: filterField.optional(),
  })
  .transform(({ action, status, tags, topics, ids, filter }, context) => {
    const refuse = (path: string, message: string) => {
      context.addIssue({ code: "custom", path: [path], message });
      return z.NEVER;
    };
    if ((ids === undefined) === (filter === undefined))
      return refuse("ids", fault("either", { one: "ids", other: "filter" }));
    if (action === "set_status" && status === undefined) return refuse("status", fault("required"));
    if (action !== "set_status" && status !== undefined)
      return refuse("status", fault("not_with", { field: action }));
    const isTagging = action === "add_tags" || action === "remove_tags";
    if (!isTagging && tags !== undefined)
      return refuse("tags", fault("not_with", { field: action }));
    if (isTagging && (tags === undefined || tags.length === 0))
      return refuse("tags", fault("required"));
    if ((action === "set_topics") !== (topics !== undefined))
      return refuse("topics", fault(topics ? "not_with" : "required", { field: action }));
    if (topics !== undefined && Object.keys(topics).length === 0)
      return refuse("topics", fault("empty"));
    const { import: importId, ...others } = filter ?? {};
    const chosen = ids ? { ids } : { filter: { ...others, importId } };
    if (topics !== undefined) return { chosen, consents: topics };
    if (action === "add_tags") return { chosen, retag: { add: tags ?? [] } };
    if (action === "remove_tags") return { chosen, retag: { remove: tags ?? [] } };
    return { chosen, change: status === undefined ? ("delete" as const) : { to: status } };
  });
