import { z } from "zod";
import { sortTags } from "../../lib/sort-tags.ts";
import { MAX_TAG_CHARACTERS, MOST_TAGS, parseTag } from "../../lib/tag.ts";
import { listField } from "../given.ts";
import { writtenAs } from "../route/written-as.ts";
import { fault, refuse } from "../fault.ts";

/** A tag, normalized as stored. */
export const tagField = writtenAs(
  z.string().transform((text, context) => {
    const tag = parseTag(text);
    if (tag !== undefined) return tag;
    return refuse(context, fault("invalid_tag", { max: MAX_TAG_CHARACTERS }));
  }),
  z.string(),
);

/** Tags of a subscriber, deduplicated and sorted. */
export const tagsField = writtenAs(
  listField(tagField, MOST_TAGS).transform(sortTags),
  z.array(z.string()).max(MOST_TAGS),
);
