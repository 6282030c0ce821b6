import type { Client } from "../../../../../client/src/index.ts";

type ImportCall = Client["projects"]["audience"]["import"];
export type ImportAnswer = Awaited<ReturnType<ImportCall>>;
export type ImportBody = NonNullable<Parameters<ImportCall>[0]>["body"];
export type Mapping = NonNullable<ImportBody["mapping"]>;
