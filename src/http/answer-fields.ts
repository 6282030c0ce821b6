/* Fields of responses. Tests validate every response against its schema; production skips this. */
import { z, type ZodRawShape } from "zod";

export const idAnswer = z.guid();
export const ulidAnswer = z.ulid();
export const countAnswer = z.int().nonnegative();

/** A timestamp in responses: RFC 3339, UTC, with milliseconds (API reference §1.3). */
export const timeAnswer = z.iso.datetime({ precision: 3 });

/** Formats a timestamp. */
export const timestamp = (ms: number) => new Date(ms).toISOString();
export const timestampOrNull = (ms: number | null) => (ms === null ? null : timestamp(ms));

/** A response schema with a name in the OpenAPI document and the typed client. */
export const namedAnswer = <Shape extends ZodRawShape>(id: string, shape: Shape) =>
  z.strictObject(shape).meta({ id });
