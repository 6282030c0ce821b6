/** A variable of a broadcast as the form holds it. */
export interface Variable {
  /** Tells rows apart while their names change. */
  key: number;
  name: string;
  text: string;
}

let lastKey = 0;

export const newVariable = (): Variable => ({ key: ++lastKey, name: "", text: "" });

type Values = Record<string, unknown>;

/** Returns the rows of the values; those that are no text are shown as JSON. */
export const variablesOf = (values: Values): Variable[] =>
  Object.entries(values).map(([name, value]) => ({ key: ++lastKey, name, text: textOf(value) }));

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/**
 * Returns the values of the rows. A row that nobody touched keeps its value; otherwise a list or an
 * object in JSON counts as one, and anything else as text.
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
    return text; // a sentence may begin with a bracket
  }
}

/** Returns a name that two rows have; only one of them could be stored. */
export const doubleName = (variables: readonly Variable[]): string | undefined =>
  variables.find(({ name }, at) => variables.findIndex((one) => one.name === name) !== at)?.name;
