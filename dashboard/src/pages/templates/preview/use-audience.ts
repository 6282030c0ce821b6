import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fieldsQuery } from "../../../api/audience.ts";
import { peopleQuery } from "../queries.ts";

/** A variable available in mail to this audience. */
export interface Variable {
  name: string;
  /** The label of its field. */
  label?: string;
  /** How many of the newest subscribers have it; undefined for variables that all have. */
  share?: { have: number; of: number };
}

const OF_EVERYBODY = ["name", "email", "subscriber_id", "unsubscribe_url", "view_url"];

/** A key that an expression can name. */
const NAME = /^[A-Za-z_][\w-]*$/;

/**
 * Returns the variables of mail to the project's subscribers: its fields, and other keys in the
 * metadata of the newest 100.
 */
export function useVariables(projectId: string): Variable[] {
  const { data } = useQuery(peopleQuery(projectId, ""));
  const { data: known } = useQuery(fieldsQuery(projectId));
  return useMemo(() => {
    const people = data?.subscribers ?? [];
    const fields = new Map(known?.fields.map(({ key, label }) => [key, label]));
    const keys = new Set([...fields.keys(), ...people.flatMap((one) => Object.keys(one.metadata))]);
    return [
      ...OF_EVERYBODY.map((name) => ({ name })),
      ...[...keys]
        .filter((key) => NAME.test(key))
        .map((key) => {
          const have = people.filter(({ metadata }) => Object.hasOwn(metadata, key)).length;
          const label = fields.get(key);
          const share = { have, of: people.length };
          return { name: `metadata.${key}`, share, ...(label === undefined ? {} : { label }) };
        }),
    ];
  }, [data, known]);
}
