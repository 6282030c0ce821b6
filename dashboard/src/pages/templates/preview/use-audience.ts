import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { peopleQuery } from "../queries.ts";

/** A variable available in mail to this audience. */
export interface Variable {
  name: string;
  /** How many of the newest subscribers have it; undefined for variables that all have. */
  share?: { have: number; of: number };
}

const OF_EVERYBODY = ["name", "email", "subscriber_id", "unsubscribe_url"];

/**
 * Returns the variables of mail to the project's subscribers, from the metadata of the newest 100.
 */
export function useVariables(projectId: string): Variable[] {
  const { data } = useQuery(peopleQuery(projectId, ""));
  return useMemo(() => {
    const people = data?.subscribers ?? [];
    const counts = new Map<string, number>();
    for (const { metadata } of people)
      for (const key of Object.keys(metadata))
        // other names are not valid in an expression
        if (/^[A-Za-z_][\w-]*$/.test(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [
      ...OF_EVERYBODY.map((name) => ({ name })),
      ...[...counts].map(([key, have]) => ({
        name: `metadata.${key}`,
        share: { have, of: people.length },
      })),
    ];
  }, [data]);
}
