import { z } from "zod";
import { MOST_TAGS, parseTag, sortTags, TAG_RULE } from "../../lib/tag.ts";
import { listField } from "../given.ts";
import { writtenAs } from "../route/written-as.ts";

/** A tag in the form in which it is stored. */
export const tagField = writtenAs(
  z.string().transform((text, context) => {
    const tag = parseTag(text);
    if (tag !== undefined) return tag;
    context.addIssue({ code: "custom", message: TAG_RULE });
    return z.NEVER;
  }),
  z.string(),
);

/** The tags of a subscriber, each once and in order. */
export const tagsField = writtenAs(
  listField(tagField, MOST_TAGS, `must have at most ${MOST_TAGS} tags`).transform(sortTags),
  z.array(z.string()).max(MOST_TAGS),
);
