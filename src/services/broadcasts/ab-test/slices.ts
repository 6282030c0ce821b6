import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import type { BroadcastRow } from "../queries.ts";

/*
 * The slices of an audience that receive variants. A subscriber's position, a number, depends only
 * on the key of the broadcast and the subscriber's id. Slices are ranges of positions, so a
 * subscriber stays in exactly one slice from start to end, in every query.
 */

/** The number of positions, a prime. */
const PLACES = 2_147_483_647;

const HEX = "0123456789abcdef";

/** The 1-based positions of the random digits of a UUID. */
const DIGITS = [16, 17, 18, 20, 21, 22, 23, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36];

/** The number of digits whose factors, four bytes each, one digest of the key provides. */
const DIGITS_A_DIGEST = 8;

/** Returns the factor of each digit, which is unpredictable without the key of the broadcast. */
function factorsOf(logKey: string): number[] {
  const parts = Array.from({ length: Math.ceil(DIGITS.length / DIGITS_A_DIGEST) }, (_, part) =>
    createHmac("sha256", logKey).update(`trial ${part}`).digest(),
  );
  const bytes = Buffer.concat(parts);
  return DIGITS.map((_, n) => bytes.readUInt32BE(n * 4) % PLACES);
}

/** Returns SQL for the position of the subscriber in the row `subscribers`. */
function placeOf(logKey: string): SQL {
  const factors = factorsOf(logKey);
  const terms = DIGITS.map(
    (at, n) => `instr('${HEX}', substr(subscribers.id, ${at}, 1)) * ${factors[n]}`,
  );
  return sql.raw(`((${terms.join(" + ")}) % ${PLACES})`);
}

type AbTest = Pick<BroadcastRow, "logKey" | "plan">;

/** Returns true for a broadcast with an A/B test whose winner has not been chosen. */
export const isTesting = ({ plan, winner }: Pick<BroadcastRow, "plan" | "winner">): boolean =>
  plan?.ab != null && winner === null;

/** Returns the number of positions of one variant. */
function widthOf({ plan }: AbTest): number {
  const { share = 0, variants = [] } = plan?.ab ?? {};
  return variants.length === 0 ? 0 : Math.floor((PLACES * share) / 100 / variants.length);
}

/** The first character of the key of a chunk that has a variant. No id begins with it. */
export const VARIANT_MARK = "$";

/**
 * Returns SQL for the variant that a subscriber receives; null for a subscriber outside the test.
 */
export function variantSql(broadcast: AbTest): SQL {
  const width = widthOf(broadcast);
  const end = width * (broadcast.plan?.ab?.variants.length ?? 0);
  const place = placeOf(broadcast.logKey);
  return sql`iif(${place} < ${sql.raw(String(end))}, ${place} / ${sql.raw(String(Math.max(1, width)))}, null)`;
}

/**
 * Returns the condition that a subscriber receives this variant or, for null, is outside the test.
 */
export function isInSlice(broadcast: AbTest, variant: number | null): SQL {
  if (broadcast.plan?.ab == null) return sql`true`;
  const width = widthOf(broadcast);
  const place = placeOf(broadcast.logKey);
  const number = (value: number) => sql.raw(String(value));
  if (variant === null)
    return sql`(${place} >= ${number(width * broadcast.plan.ab.variants.length)})`;
  return sql`(${place} between ${number(width * variant)} and ${number(width * (variant + 1) - 1)})`;
}
