import { z, type ZodRawShape } from "zod";
import { timestamp } from "./answer-fields.ts";
import { setVersion } from "./entity-tag.ts";
import type { HttpContext } from "./http-env.ts";
import { nameInCode, type NameInCode } from "./in-code.ts";

/** What a row holds for a field: milliseconds for a time, also 0 or 1 for a boolean. */
type ValueInCode<Field> = Field extends z.ZodISODateTime
  ? number
  : Field extends z.ZodBoolean
    ? boolean | number
    : Field extends z.ZodNullable<infer Inner>
      ? ValueInCode<Inner> | null
      : Field extends z.ZodOptional<infer Inner>
        ? ValueInCode<Inner> | null | undefined
        : Field extends z.ZodArray<infer Item>
          ? readonly ValueInCode<Item>[]
          : Field extends z.ZodObject<infer Shape>
            ? RowOf<Shape>
            : z.input<Field>;

type OptionalOf<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodOptional ? Name : never;
}[keyof Shape];

/** The object that a presenter shows: it may have other properties, too. */
type RowOf<Shape> = {
  readonly [
    Name in Exclude<keyof Shape, OptionalOf<Shape>> as NameInCode<Name & string>
  ]: ValueInCode<Shape[Name]>;
} & {
  readonly [Name in OptionalOf<Shape> as NameInCode<Name & string>]?: ValueInCode<Shape[Name]>;
};

type Present = (value: unknown) => unknown;

/**
 * Returns the presenter of a response: each field of the schema shows the property of the row with
 * the same name in camel case, and optional fields omit null.
 */
export function presenterOf<Shape extends ZodRawShape>(schema: z.ZodObject<Shape, z.core.$strict>) {
  const present = presentObject(schema.shape);
  return (row: RowOf<Shape>) => present(row) as z.input<typeof schema>; // what `RowOf` demands
}

/** Returns a presenter that also sets the ETag to the version of its row. */
export const versioned =
  <Row extends { updatedAt: number }, Shown>(present: (row: Row) => Shown) =>
  (c: HttpContext, row: Row): Shown => {
    setVersion(c, row.updatedAt);
    return present(row);
  };

function presenterFor(schema: z.core.$ZodType): Present {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const present = presenterFor(schema.unwrap());
    const nothing = schema instanceof z.ZodNullable ? null : undefined;
    return (value) => (value === null || value === undefined ? nothing : present(value));
  }
  if (schema instanceof z.ZodISODateTime) return (value) => timestamp(Number(value));
  if (schema instanceof z.ZodBoolean) return Boolean;
  if (schema instanceof z.ZodObject) return presentObject(schema.shape);
  if (!(schema instanceof z.ZodArray)) return (value) => value;
  const present = presenterFor(schema.element);
  return (list) => (list as unknown[]).map(present);
}

function presentObject(shape: ZodRawShape): Present {
  const fields = Object.entries(shape).map(
    ([name, schema]) => [name, nameInCode(name), presenterFor(schema)] as const,
  );
  return (row) => {
    const shown = fields.map(([name, property, present]) => [
      name,
      present((row as Record<string, unknown>)[property]),
    ]);
    return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
  };
}
