/* Parts of the operations outside the route table. */
import type { Json } from "./json-schema.ts";

export const text = (description: string, type: string) => ({
  description,
  content: { [type]: { schema: { type: "string" } } },
});
export const inPath = (name: string, schema: Json = { type: "string" }) => ({
  name,
  in: "path",
  required: true,
  schema,
});
export const uuid = { type: "string", format: "uuid" };
export const page = (description: string) => text(description, "text/html");
