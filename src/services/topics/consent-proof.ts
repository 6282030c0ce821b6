import type { Ctx } from "../../context.ts";
import type { ConsentProof, ConsentWay } from "./consent-queries.ts";

/**
 * Returns the proof of a consent that a member or a key of the project reports on behalf of a
 * person.
 */
export function callerProof({ actor }: Ctx): ConsentProof {
  return { by: actor.kind === "user" ? "member" : "api", ...NOWHERE };
}

/** Returns the proof of a consent that the person gave in this request. */
export function personProof(
  { clientIp, userAgent }: Pick<Ctx, "clientIp" | "userAgent">,
  by: ConsentWay,
  formText: ConsentProof["formText"] = "",
): ConsentProof {
  return { by, ipAddress: clientIp, userAgent, formText };
}

/** The caller's own address proves nothing about the person. */
const NOWHERE = { ipAddress: "", userAgent: "", formText: "" };
