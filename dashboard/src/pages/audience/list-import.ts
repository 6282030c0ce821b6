import type { Client } from "../../../../client/src/index.ts";
import type { Status } from "./statuses.ts";

type ImportCall = Client["projects"]["audience"]["import"];
export type ImportAnswer = Awaited<ReturnType<ImportCall>>;
export type ImportBody = NonNullable<Parameters<ImportCall>[0]>["body"];
export type Mapping = NonNullable<ImportBody["mapping"]>;

/** The choices of a person about a file. */
export interface Choices {
  mapping?: Mapping;
  status?: Status;
  /** The ids of the topics to which new people consent. */
  topics?: string[];
}
