import type { Deps } from "../../deps.ts";
import { seal, unseal } from "../../lib/seal.ts";
import type { ScanPlace } from "../email-log/index.ts";
import type { DeliveryPlace } from "../webhooks/index.ts";
import type { TextPlaces } from "./erase-texts.ts";
import type { ErasureRow } from "./erasure-queries.ts";

/** What an erasure searches for. */
export interface ErasureWork {
  email: string;
  subscriberIds: string[];
}

/** The current stage of an erasure, with its cursor. */
export type Stage =
  | { stage: "direct" }
  | { stage: "texts"; places: TextPlaces }
  | { stage: "log"; at: ScanPlace }
  | { stage: "deliveries"; at: DeliveryPlace }
  | { stage: "batches"; afterId: string };

/**
 * The cursor of an erasure. Its second round re-examines what was written around its start, because
 * a mail in flight then is logged later.
 */
export type ErasurePlace = Stage & { round: 1 | 2; startedAt: number };

type Keys = Pick<Deps, "config">;
type ErasureKey = Pick<ErasureRow, "projectId" | "hash">;

const contextOf = ({ projectId, hash }: ErasureKey) => `erasure:${projectId}:${hash}`;

/** Encrypts the work of an erasure, which contains the data to erase. */
export const sealWork = ({ config }: Keys, key: ErasureKey, work: ErasureWork): Promise<string> =>
  seal(config.sealingKeys, JSON.stringify(work), contextOf(key));

/** Decrypts what `sealWork` encrypted. */
export async function openWork(
  { config }: Keys,
  key: ErasureKey,
  sealed: string,
): Promise<ErasureWork> {
  return JSON.parse(await unseal(config.sealingKeys, sealed, contextOf(key))) as ErasureWork;
}
