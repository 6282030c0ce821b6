import type { Ctx } from "../../context.ts";
import type { ConsentProof } from "./consent-queries.ts";

/** Returns the proof of a consent that a member or a key of the project states for somebody. */
export function callerProof({ actor }: Ctx): ConsentProof {
  return { by: actor.kind === "user" ? "member" : "api", ...NOWHERE };
}

/** The caller's own address proves nothing about the person. */
const NOWHERE = { ipAddress: "", userAgent: "", formText: "" };
