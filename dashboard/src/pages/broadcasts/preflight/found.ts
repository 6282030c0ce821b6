import type { Api } from "../../../api/client.ts";

/** The response of a pre-flight check. */
export type Found = Api.Preflight;
