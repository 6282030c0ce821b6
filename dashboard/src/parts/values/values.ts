/** Form values of a broadcast's variable. */
export interface Variable {
  /** Identifies the row while its name changes. */
  key: number;
  name: string;
  text: string;
}

let lastKey = 0;

export const newVariable = (): Variable => ({ key: ++lastKey, name: "", text: "" });

type Values = Record<string, unknown>;

/** Returns the rows of the values; non-text values are shown as JSON. */
export const variablesOf = (values: Values): Variable[] =>
  Object.entries(values).map(([name, value]) => ({ key: ++lastKey, name, text: textOf(value) }));

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/**
 * Returns the values of the rows. An unchanged row keeps its value; otherwise a JSON list or object
 * is parsed, and anything else is text.
 */
export const valuesOf = (variables: readonly Variable[], before: Values): Values =>
  Object.fromEntries(
    variables.map(({ name, text }) => {
      const stored = before[name];
      return [name, stored !== undefined && textOf(stored) === text ? stored : valueOf(text)];
    }),
  );

function valueOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // a sentence may start with a bracket
  }
}

/** Returns a duplicate name; only one of its values could be stored. */
export const doubleName = (variables: readonly Variable[]): string | undefined =>
  variables.find(({ name }, at) => variables.findIndex((one) => one.name === name) !== at)?.name;

/** Returns values by path: `order.total` is the `total` in an `order`. */
export function nested(values: Values): Values {
  const all: Values = {};
  for (const [path, value] of Object.entries(values)) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    let inner = all;
    for (const name of names) {
      const next = inner[name];
      const isObject = typeof next === "object" && next !== null && !Array.isArray(next);
      inner = inner[name] = isObject ? { ...next } : {};
    }
    inner[last] = value;
  }
  return all;
}
