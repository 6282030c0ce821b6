/* The fields of answers. Tests hold every answer to its schema; production parses none. */
import { z, type ZodRawShape } from "zod";

export const idAnswer = z.guid();
export const ulidAnswer = z.ulid();
export const countAnswer = z.int().nonnegative();

/** A point in time as answers have it: RFC 3339, UTC, in milliseconds (API reference §1.3). */
export const timeAnswer = z.iso.datetime({ precision: 3 });

/** Presents a point in time. */
export const timestamp = (ms: number) => new Date(ms).toISOString();
export const timestampOrNull = (ms: number | null) => (ms === null ? null : timestamp(ms));

/** The schema of an answer that the OpenAPI document and the typed client know by a name. */
export const namedAnswer = <Shape extends ZodRawShape>(id: string, shape: Shape) =>
  z.strictObject(shape).meta({ id });
