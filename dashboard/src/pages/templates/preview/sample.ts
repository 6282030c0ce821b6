import { jsonObject } from "../../../lib/json-object.ts";

/** The source of the data of a preview and a test. */
export interface Sample {
  personId: string | undefined;
  /** The values that a send would bring, as JSON; empty for none. */
  json: string;
}

export const NO_SAMPLE: Sample = { personId: undefined, json: "" };

/** The fields of a preview or a test that say whose data it has. */
export interface SampleFields {
  subscriber_id?: string;
  data?: Record<string, unknown>;
}

/** Reads the values of a sample; undefined if they are no JSON object. */
export const dataOf = (json: string): Record<string, unknown> | undefined =>
  json.trim() === "" ? {} : jsonObject(json);

/** Returns the fields of a call; values that cannot be read are left out. */
export function fieldsOfSample({ personId, json }: Sample): SampleFields {
  const data = dataOf(json);
  return {
    ...(personId === undefined ? {} : { subscriber_id: personId }),
    ...(json.trim() === "" || data === undefined ? {} : { data }),
  };
}
