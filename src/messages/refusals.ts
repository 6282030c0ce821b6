import { ACCESS } from "./refusals/access.ts";
import { AUDIENCE } from "./refusals/audience.ts";
import { AUTOMATIONS } from "./refusals/automations.ts";
import type { Refusal } from "./refusals/entry.ts";
import { BROADCASTS } from "./refusals/broadcasts.ts";
import { AUTHORED } from "./refusals/authored.ts";
import { IMAGES } from "./refusals/images.ts";
import { IMPORTS } from "./refusals/imports.ts";
import { KEYS } from "./refusals/keys.ts";
import { OPERATIONS } from "./refusals/operations.ts";
import { REPORTS } from "./refusals/reports.ts";
import { PROJECTS } from "./refusals/projects.ts";
import { PUBLIC } from "./refusals/public.ts";
import { REQUEST } from "./refusals/request.ts";
import { SENDING } from "./refusals/sending.ts";

/** Every refusal of the service by its code: its status, its text, and what to do about it. */
export const REFUSALS = {
  ...REQUEST,
  ...OPERATIONS,
  ...BROADCASTS,
  ...AUTOMATIONS,
  ...AUTHORED,
  ...SENDING,
  ...REPORTS,
  ...ACCESS,
  ...KEYS,
  ...PROJECTS,
  ...AUDIENCE,
  ...IMAGES,
  ...IMPORTS,
  ...PUBLIC,
} as const satisfies Record<string, Refusal>;

export type RefusalCode = keyof typeof REFUSALS;
