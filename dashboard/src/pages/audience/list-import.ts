import type { Client } from "../../../../client/src/index.ts";
import type { Status } from "./statuses.ts";

type ImportCall = Client["projects"]["audience"]["import"];
export type ImportAnswer = Awaited<ReturnType<ImportCall>>;
export type ImportBody = NonNullable<Parameters<ImportCall>[0]>["body"];
export type Mapping = NonNullable<ImportBody["mapping"]>;

/** The user's choices for a file. */
export interface Choices {
  mapping?: Mapping;
  status?: Status;
  /** Ids of the topics to which new subscribers consent. */
  topics?: string[];
}
