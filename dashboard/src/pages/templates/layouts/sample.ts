import type { PLACEHOLDER_PICTURES } from "../../../../../src/lib/placeholders.ts";
import type { en } from "./text.en.ts";

/** What a layout is filled with. */
export interface Sample {
  words: typeof en;
  /** URLs of pictures to replace. */
  pictures: Record<keyof typeof PLACEHOLDER_PICTURES, string>;
}
