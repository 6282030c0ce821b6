import { z, type ZodRawShape } from "zod";
import { fault } from "./fault.ts";

/** The name that code gives to a field of the API: `created_at` is `createdAt`. */
export type NameInCode<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<NameInCode<Rest>>}`
  : Name;

/** Returns the name that code gives to a field of the API. */
export const nameInCode = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** An object of the API with the names of the code, without undefined values. */
type InCode<Given> = {
  [Name in keyof Given as NameInCode<Name & string>]: Exclude<Given[Name], undefined>;
};

/** Returns an object of the API with the names of the code, without undefined values. */
export function inCode<Given extends object>(given: Given): InCode<Given> {
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    fields.map(([name, value]) => [nameInCode(name), value]),
  ) as InCode<Given>; // by the same rule of names
}

/** Returns the fields of a schema with the names of the code. */
export const shapeInCode = <Shape extends ZodRawShape>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [nameInCode(name), field])) as {
    [Name in keyof Shape as NameInCode<Name & string>]: Shape[Name];
  }; // by the same rule

/** Returns the schema of a change, which has at least one of the fields of this object. */
export function changeOf<Shape extends ZodRawShape, Config extends z.core.$ZodObjectConfig>(
  whole: z.ZodObject<Shape, Config>,
) {
  const fields = Object.keys(whole.shape).join(", ");
  return whole
    .partial()
    .refine(
      (change) => Object.values(change).some((value) => value !== undefined),
      fault("one_of", { fields }),
    )
    .transform(inCode);
}
