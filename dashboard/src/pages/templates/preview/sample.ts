import { nested, valuesOf, type Variable } from "../../../parts/values/values.ts";

/** Source of the data of a preview and a test send. */
export interface Sample {
  personId: string | undefined;
  /** Values that a send would provide. */
  variables: readonly Variable[];
}

export const NO_SAMPLE: Sample = { personId: undefined, variables: [] };

/** Fields of a preview or a test send that select its data. */
export interface SampleFields {
  subscriber_id?: string;
  data?: Record<string, unknown>;
}

/** Returns the fields of a call; a variable without a name is omitted. */
export function fieldsOfSample({ personId, variables }: Sample): SampleFields {
  const named = variables.filter(({ name }) => name !== "");
  return {
    ...(personId === undefined ? {} : { subscriber_id: personId }),
    ...(named.length === 0 ? {} : { data: nested(valuesOf(named, {})) }),
  };
}
