import { z } from "zod";
import { VISITS } from "../../services/email-log/index.ts";

/** The longest URL of a link in a query. */
const MAX_LINK_CHARACTERS = 4_096;

/** The filters of mails by their visits (API reference §11.9). */
export const visitFields = {
  visit: z.enum(VISITS).optional(),
  link: z.string().min(1).max(MAX_LINK_CHARACTERS).optional(),
};
