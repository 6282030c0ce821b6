import type { Api } from "../../api/client.ts";

/** Suppression reasons (API reference §12.4). */
export const REASONS = ["hard_bounce", "unsubscribed", "manual"] as const;

export type Suppression = Api.Suppression;
