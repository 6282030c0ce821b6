import { integer } from "drizzle-orm/sqlite-core";

/** A point in time, in milliseconds since 1970 UTC. */
export const timestamp = () => integer({ mode: "number" });
