/** A JSON Schema, or another object of an OpenAPI document. */
export type Json = Record<string, unknown>;

/** The direction of a schema: clients write requests and read answers. */
type Side = "request" | "answer";

/** Tells what a client that was written for the first schema can no longer rely on. */
type Compare = (before: Json, after: Json, at: string) => string[];

const MAX_LEVELS = 30;

/** Returns a line for each change that breaks clients written for the document before. */
export function findBreaks(before: Json, after: Json): string[] {
  return Object.entries(operationsOf(before)).flatMap(([name, old]) => {
    const now = operationsOf(after)[name];
    if (!now) return [`${name} is gone`];
    const compare = (side: Side) => comparing(side, before, after);
    return [
      ...breaksOfName(name, old, now),
      ...breaksOfParameters(name, old, now, compare("request")),
      ...breaksOfBody(name, old, now, compare("request")),
      ...breaksOfAnswers(name, old, now, compare("answer")),
    ];
  });
}

function operationsOf(document: Json): Record<string, Json> {
  const found: Record<string, Json> = {};
  for (const [path, methods] of Object.entries(objectOf(document["paths"])))
    for (const [method, operation] of Object.entries(objectOf(methods)))
      found[`${method.toUpperCase()} ${path}`] = objectOf(operation);
  return found;
}

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null ? (value as Json) : {};
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function breaksOfName(name: string, old: Json, now: Json): string[] {
  const ways = (operation: Json) => listOf(operation["security"]).flatMap(Object.keys);
  const kept = ways(now);
  const closed = kept.length === 0 ? [] : ways(old).filter((way) => !kept.includes(way));
  const isClosed = ways(old).length === 0 && kept.length > 0;
  return [
    ...(old["operationId"] === now["operationId"] ? [] : [`${name} has another operationId`]),
    ...closed.map((way) => `${name} no longer takes ${way}`),
    ...(isClosed ? [`${name} now needs a credential`] : []),
  ];
}

function breaksOfParameters(name: string, old: Json, now: Json, compare: Compare): string[] {
  const keyOf = (parameter: Json) => `${String(parameter["in"])} ${String(parameter["name"])}`;
  const before = new Map(listOf(old["parameters"]).map((one) => [keyOf(one), one]));
  const after = new Map(listOf(now["parameters"]).map((one) => [keyOf(one), one]));
  const gone = [...before.keys()].filter((key) => !after.has(key));
  const needed = [...after].filter(
    ([key, { required }]) => required === true && before.get(key)?.["required"] !== true,
  );
  return [
    ...gone.map((key) => `${name} no longer has the parameter ${key}`),
    ...needed.map(([key]) => `${name} now requires the parameter ${key}`),
    ...[...after].flatMap(([key, { schema }]) => {
      const known = before.get(key);
      return known ? compare(objectOf(known["schema"]), objectOf(schema), `${name} ${key}`) : [];
    }),
  ];
}

const schemaIn = (value: unknown) =>
  objectOf(objectOf(objectOf(objectOf(value)["content"])["application/json"])["schema"]);

function breaksOfBody(name: string, old: Json, now: Json, compare: Compare): string[] {
  const at = `${name} body`;
  if (now["requestBody"] === undefined) return old["requestBody"] ? [`${at} is gone`] : [];
  if (old["requestBody"] === undefined)
    return objectOf(now["requestBody"])["required"] === true ? [`${at} is now required`] : [];
  return compare(schemaIn(old["requestBody"]), schemaIn(now["requestBody"]), at);
}

function breaksOfAnswers(name: string, old: Json, now: Json, compare: Compare): string[] {
  const after = objectOf(now["responses"]);
  return Object.entries(objectOf(old["responses"]))
    .filter(([status]) => /^[23]/.test(status))
    .flatMap(([status, answer]) => {
      const at = `${name} ${status}`;
      if (!(status in after)) return [`${at} is gone`];
      return compare(schemaIn(answer), schemaIn(after[status]), at);
    });
}

/** Makes the comparison of schemas in one direction. */
function comparing(side: Side, oldDocument: Json, newDocument: Json): Compare {
  const resolve = (document: Json, schema: Json): Json => {
    const { $ref } = schema;
    if (typeof $ref !== "string") return schema;
    const name = $ref.slice("#/components/schemas/".length);
    return objectOf(objectOf(objectOf(document["components"])["schemas"])[name]);
  };
  const compare = (before: Json, after: Json, at: string, level: number): string[] => {
    if (level > MAX_LEVELS) return [];
    const old = resolve(oldDocument, before);
    const now = resolve(newDocument, after);
    const inner: Compare = (one, other, place) => compare(one, other, place, level + 1);
    if (optionsOf(old) ?? optionsOf(now)) return breaksOfChoice(side, old, now, at, inner);
    return [
      ...breaksOfValues(side, old, now, at),
      ...breaksOfFields(side, old, now, at, inner),
      ...(old["items"] === undefined || now["items"] === undefined
        ? []
        : inner(objectOf(old["items"]), objectOf(now["items"]), `${at}[]`)),
    ];
  };
  return (before, after, at) => compare(before, after, at, 0);
}

function optionsOf({ anyOf, oneOf }: Json): Json[] | undefined {
  const options = anyOf ?? oneOf;
  return options === undefined ? undefined : listOf(options);
}

/**
 * Compares alternatives: each that clients may write must stay, and each that they read must be one
 * that they knew.
 */
function breaksOfChoice(side: Side, old: Json, now: Json, at: string, compare: Compare): string[] {
  const [known, next] = [optionsOf(old) ?? [old], optionsOf(now) ?? [now]];
  const fits = (one: Json, other: Json) => compare(one, other, at).length === 0;
  if (side === "request")
    return known.every((one) => next.some((other) => fits(one, other)))
      ? []
      : [`${at} no longer takes one of its forms`];
  return next.every((other) => known.some((one) => fits(one, other)))
    ? []
    : [`${at} has a form that was unknown`];
}

const typesOf = ({ type, const: value, enum: values }: Json): string[] => {
  if (type !== undefined) return [type].flat().map(String);
  const all = values ?? (value === undefined ? [] : [value]);
  return Array.isArray(all) ? [...new Set(all.map((one) => typeof one))] : [];
};
const valuesOf = ({ const: value, enum: values }: Json): unknown[] | undefined =>
  Array.isArray(values) ? values : value === undefined ? undefined : [value];

/** Bounds that make a request narrower when they are new or tighter. */
const UPPER = ["maximum", "maxLength", "maxItems", "maxProperties"];
const LOWER = ["minimum", "minLength", "minItems"];

function breaksOfValues(side: Side, old: Json, now: Json, at: string): string[] {
  const [wide, narrow] = side === "request" ? [old, now] : [now, old];
  const allowed = typesOf(narrow);
  const lost = allowed.length === 0 ? [] : typesOf(wide).filter((type) => !covers(allowed, type));
  const isOpened = side === "answer" && typesOf(now).length === 0 && typesOf(old).length > 0;
  const kept = valuesOf(now);
  const gone =
    side === "request" && kept ? (valuesOf(old) ?? ["any"]).filter((v) => !kept.includes(v)) : [];
  return [
    ...(lost.length > 0 || isOpened ? [`${at} has another type`] : []),
    ...gone.map((value) => `${at} no longer takes ${String(value)}`),
    ...(side === "request" ? tighterBounds(old, now, at) : []),
  ];
}

const covers = (types: string[], type: string) =>
  types.includes(type) || (type === "integer" && types.includes("number"));

function tighterBounds(old: Json, now: Json, at: string): string[] {
  const numberOf = (schema: Json, name: string, none: number) =>
    typeof schema[name] === "number" ? schema[name] : none;
  const upper = UPPER.filter(
    (name) => numberOf(now, name, Infinity) < numberOf(old, name, Infinity),
  );
  const lower = LOWER.filter(
    (name) => numberOf(now, name, -Infinity) > Math.max(0, numberOf(old, name, -Infinity)),
  );
  return [...upper, ...lower].map((name) => `${at} has a tighter ${name}`);
}

function breaksOfFields(side: Side, old: Json, now: Json, at: string, compare: Compare): string[] {
  const [before, after] = [objectOf(old["properties"]), objectOf(now["properties"])];
  const [needed, needs] = [namesOf(old["required"]), namesOf(now["required"])];
  const lost =
    side === "request"
      ? needs.filter((name) => !needed.includes(name)).map((name) => `${at} now requires ${name}`)
      : needed
          .filter((name) => name in after && !needs.includes(name))
          .map((name) => `${at} may now lack ${name}`);
  return [
    ...lost,
    ...Object.entries(before).flatMap(([name, schema]) => {
      if (!(name in after)) return [`${at} no longer has ${name}`];
      return compare(objectOf(schema), objectOf(after[name]), `${at}.${name}`);
    }),
  ];
}
