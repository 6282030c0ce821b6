/** Formats the start of a bucket; buckets are whole UTC hours or days. */
export const formatBucket = (bucket: string, { granularity }: { granularity: string }): string =>
  granularity === "hour" ? bucket.slice(0, 16).replace("T", " ") : bucket.slice(0, 10);
