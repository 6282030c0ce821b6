import { AUDIENCE } from "./refusals/audience.ts";
import type { Refusal } from "./refusals/entry.ts";
import { BROADCASTS } from "./refusals/broadcasts.ts";
import { AUTHORED } from "./refusals/authored.ts";
import { IMPORTS } from "./refusals/imports.ts";
import { OPERATIONS } from "./refusals/operations.ts";
import { REPORTS } from "./refusals/reports.ts";
import { PUBLIC } from "./refusals/public.ts";
import { REQUEST } from "./refusals/request.ts";
import { SENDING } from "./refusals/sending.ts";

/** Every refusal of the service by its code: its status, its text, and what to do about it. */
export const REFUSALS = {
  ...REQUEST,
  ...OPERATIONS,
  ...BROADCASTS,
  ...AUTHORED,
  ...SENDING,
  ...REPORTS,
  ...AUDIENCE,
  ...IMPORTS,
  ...PUBLIC,
} as const satisfies Record<string, Refusal>;

export type RefusalCode = keyof typeof REFUSALS;
