import type { Client } from "../../../api/client.ts";

/** The answer of a pre-flight. */
export type Found = Awaited<ReturnType<Client["projects"]["broadcasts"]["preflight"]>>;
export type ProblemCode = Found["problems"][number]["code"];
