import type { Api } from "../../../api/client.ts";

/** The answer of a pre-flight. */
export type Found = Api.Preflight;
export type ProblemCode = Found["problems"][number]["code"];
