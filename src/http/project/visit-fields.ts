import { z } from "zod";
import { VISITS } from "../../services/email-log/index.ts";

/** Maximum length of a link's URL in a query. */
const MAX_LINK_CHARACTERS = 4_096;

/** Filters of mails by opens and clicks (API reference §11.9). */
export const visitFields = {
  visit: z.enum(VISITS).optional(),
  link: z.string().min(1).max(MAX_LINK_CHARACTERS).optional(),
};
