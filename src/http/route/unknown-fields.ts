/*
 * The fields of a body that its schema does not know. Routes that declare `namesUnknownFields` tell
 * them to the caller: a misspelled field is otherwise a field left out.
 */
import { z, type ZodType } from "zod";
import { nearestText } from "../../lib/nearest-text.ts";
import { fault } from "../fault.ts";
import { fieldFault, MAX_DETAILS, UNKNOWN_FIELD, type Issue } from "../issues.ts";
import { messageAnswer } from "../message-answer.ts";
import { jsonSchemaOf, refOf, type NamedSchemas } from "../openapi/json-schema.ts";

/** The parts of a JSON Schema that tell the fields of an object. */
interface Form {
  $ref?: string;
  anyOf?: Form[];
  items?: Form;
  properties?: Record<string, Form>;
  required?: string[];
  additionalProperties?: unknown;
}

/** Returns a function that finds the unknown fields of a body, at most as many as answers list. */
export function unknownFieldsOf(schema: ZodType): (body: unknown) => UnknownField[] {
  const named: NamedSchemas = {};
  let form: Form | undefined;
  return (body) => {
    form ??= jsonSchemaOf(schema, named);
    const found: UnknownField[] = [];
    collect(form, body, { found, named, path: [] });
    return found;
  };
}

/** An unknown field as an issue, with the known field that it resembles. */
export interface UnknownField extends Issue {
  nearest: string | undefined;
}

interface Place {
  found: UnknownField[];
  named: NamedSchemas;
  path: PropertyKey[];
}

function collect(form: Form, value: unknown, place: Place): void {
  if (typeof value !== "object" || value === null) return;
  const forms = formsOf(form, place.named);
  const inner = (name: PropertyKey) => ({ ...place, path: [...place.path, name] });
  if (Array.isArray(value)) {
    const items = forms.find((one) => one.items)?.items;
    for (const [at, item] of items ? value.entries() : []) {
      if (place.found.length >= MAX_DETAILS) return;
      collect(items ?? {}, item, inner(at));
    }
    return;
  }
  const known = fieldsOf(forms, value);
  for (const [name, field] of known ? Object.entries(value) : []) {
    if (field === null) continue; // counts as omitted
    const its = known?.get(name);
    if (its) collect(its, field, inner(name));
    else if (place.found.length < MAX_DETAILS)
      place.found.push(unknownField(inner(name).path, [...(known?.keys() ?? [])], value));
  }
}

/** Returns the alternatives of a form. */
function formsOf(form: Form, named: NamedSchemas): Form[] {
  if (form.$ref !== undefined) return formsOf(named[refOf(form.$ref)] ?? {}, named);
  return form.anyOf ? form.anyOf.flatMap((one) => formsOf(one, named)) : [form];
}

/**
 * Returns the known fields of an object: those of the first form whose required fields it has, or
 * of all forms if there is none. Undefined if any field is allowed, or if the schema refuses others
 * by itself.
 */
function fieldsOf(forms: Form[], value: object): Map<string, Form> | undefined {
  const closed = forms.filter((one) => one.properties && one.additionalProperties === undefined);
  if (closed.length === 0) return undefined;
  const fitting = closed.find(({ required = [] }) =>
    required.every((name) => Object.hasOwn(value, name)),
  );
  const fields = (fitting ? [fitting] : closed).map(({ properties = {} }) => properties);
  return new Map(fields.flatMap((one) => Object.entries(one)));
}

function unknownField(path: PropertyKey[], known: string[], value: object): UnknownField {
  const free = known.filter((name) => !Object.hasOwn(value, name));
  const nearest = nearestText(String(path.at(-1)), free);
  const message =
    nearest === undefined ? fault("unknown_field") : fault("misspelled_field", { nearest });
  return { code: UNKNOWN_FIELD, path, message, nearest };
}

/** Returns a function that adds the warnings about these fields, if any, to an answer. */
export const warnerOf =
  (unknown: UnknownField[]) =>
  <Answer>(answer: Answer): Answer =>
    unknown.length === 0
      ? answer
      : Object.assign({}, answer, { warnings: unknown.map(fieldFault) });

const warningsAnswer = z
  .array(messageAnswer.extend({ path: z.string() }).meta({ id: "Warning" }))
  .optional()
  .describe("The fields of the body that the call does not know; absent if there are none.");

/** Returns the schema of an answer that may also have warnings. */
export function withWarnings(answer: ZodType, unless?: ZodType): ZodType {
  if (answer === unless) return answer;
  if (answer instanceof z.ZodObject) return answer.extend({ warnings: warningsAnswer });
  if (!(answer instanceof z.ZodUnion)) return answer;
  return z.union(answer.options.map((one) => withWarnings(one as ZodType, unless)));
}
