import type { ScanPlace } from "../email-log/index.ts";
import type { DeliveryPlace } from "../webhooks/index.ts";
import type { ErasureRow } from "./erasure-queries.ts";

/** The things that an erasure looks for. */
export interface ErasureWork {
  email: string;
  subscriberIds: string[];
}

/** The stage at which an erasure is, with its place there. */
export type Stage =
  | { stage: "direct" }
  | { stage: "log"; at: ScanPlace }
  | { stage: "deliveries"; at: DeliveryPlace }
  | { stage: "batches"; afterId: string };

/**
 * The place of an erasure. Its second round looks once more at what was written around its start: a
 * mail that was in hand then is logged later.
 */
export type ErasurePlace = Stage & { round: 1 | 2; startedAt: number };

/** The context with which the work of an erasure is sealed. */
export const workContext = ({ projectId, hash }: Pick<ErasureRow, "projectId" | "hash">) =>
  `erasure:${projectId}:${hash}`;
