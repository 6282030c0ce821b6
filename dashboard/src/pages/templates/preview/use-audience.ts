import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { peopleQuery } from "../queries.ts";

/** A variable that mail to this audience has. */
export interface Variable {
  name: string;
  /** The number of the newest subscribers who have it; undefined for those that everybody has. */
  share?: { have: number; of: number };
}

const OF_EVERYBODY = ["name", "email", "subscriber_id", "unsubscribe_url"];

/** Returns the variables of mail to the project's subscribers: the newest 100 name the metadata. */
export function useVariables(projectId: string): Variable[] {
  const { data } = useQuery(peopleQuery(projectId, ""));
  return useMemo(() => {
    const people = data?.subscribers ?? [];
    const counts = new Map<string, number>();
    for (const { metadata } of people)
      for (const key of Object.keys(metadata))
        // other names cannot stand in an expression as they are
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
