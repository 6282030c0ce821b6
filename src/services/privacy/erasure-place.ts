import type { Deps } from "../../deps.ts";
import { seal, unseal } from "../../lib/seal.ts";
import type { ScanPlace } from "../email-log/index.ts";
import type { DeliveryPlace } from "../webhooks/index.ts";
import type { TextPlaces } from "./erase-texts.ts";
import type { ErasureRow } from "./erasure-queries.ts";

/** The things that an erasure looks for. */
export interface ErasureWork {
  email: string;
  subscriberIds: string[];
}

/** The stage at which an erasure is, with its place there. */
export type Stage =
  | { stage: "direct" }
  | { stage: "texts"; places: TextPlaces }
  | { stage: "log"; at: ScanPlace }
  | { stage: "deliveries"; at: DeliveryPlace }
  | { stage: "batches"; afterId: string };

/**
 * The place of an erasure. Its second round looks once more at what was written around its start: a
 * mail that was in hand then is logged later.
 */
export type ErasurePlace = Stage & { round: 1 | 2; startedAt: number };

type Keys = Pick<Deps, "config">;
type ErasureKey = Pick<ErasureRow, "projectId" | "hash">;

const contextOf = ({ projectId, hash }: ErasureKey) => `erasure:${projectId}:${hash}`;

/** Seals the work of an erasure, which holds what the service must forget. */
export const sealWork = ({ config }: Keys, key: ErasureKey, work: ErasureWork): Promise<string> =>
  seal(config.sealingKeys, JSON.stringify(work), contextOf(key));

/** Opens what `sealWork` sealed. */
export async function openWork(
  { config }: Keys,
  key: ErasureKey,
  sealed: string,
): Promise<ErasureWork> {
  return JSON.parse(await unseal(config.sealingKeys, sealed, contextOf(key))) as ErasureWork;
}
