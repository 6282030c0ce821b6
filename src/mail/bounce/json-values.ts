/** Accessors for untrusted JSON. */

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the object, or an empty one for any other value. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns the array, or an empty one for any other value. */
export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the string, or "" for any other value. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
