import type { Series } from "./queries.ts";

/** Formats the start of a bucket; buckets are whole hours or days of UTC. */
export const formatBucket = (bucket: string, { granularity }: Series): string =>
  granularity === "hour" ? bucket.slice(0, 16).replace("T", " ") : bucket.slice(0, 10);
