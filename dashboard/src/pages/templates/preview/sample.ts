import { jsonObject } from "../../../lib/json-object.ts";

/** Source of the data of a preview and a test send. */
export interface Sample {
  personId: string | undefined;
  /** Values that a send would provide, as JSON; empty for none. */
  json: string;
}

export const NO_SAMPLE: Sample = { personId: undefined, json: "" };

/** Fields of a preview or a test send that select its data. */
export interface SampleFields {
  subscriber_id?: string;
  data?: Record<string, unknown>;
}

/** Parses the values of a sample; undefined if they are not a JSON object. */
export const dataOf = (json: string): Record<string, unknown> | undefined =>
  json.trim() === "" ? {} : jsonObject(json);

/** Returns the fields of a call; invalid values are omitted. */
export function fieldsOfSample({ personId, json }: Sample): SampleFields {
  const data = dataOf(json);
  return {
    ...(personId === undefined ? {} : { subscriber_id: personId }),
    ...(json.trim() === "" || data === undefined ? {} : { data }),
  };
}
