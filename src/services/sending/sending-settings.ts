import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { projects } from "../../db/schema/index.ts";
import type { SendingUse, VersionedLimits } from "../../lib/rates/rate-types.ts";
import type { SenderStatus } from "../../project-object.ts";
import { DEFAULT_LIMITS, type SendingLimits } from "../../lib/rates/sending-limits.ts";
import type { ProjectRow } from "../access/index.ts";
import { changeProject } from "../projects/index.ts";
import { askSender } from "./ask-sender.ts";
import { presetFor, type Preset } from "./presets.ts";

/**
 * The limits of a project's server with their use, the limits learned from it, those that its
 * provider publishes, and what the project's sender does.
 */
export interface Sending {
  limits: SendingLimits;
  use: SendingUse;
  sender: SenderStatus;
  preset: Preset | undefined;
}

/** Returns the limits of a project with their version. */
export function limitsOf({ sendingLimits, sendingVersion }: ProjectRow): VersionedLimits {
  return { limits: { ...DEFAULT_LIMITS, ...sendingLimits }, version: sendingVersion };
}

/** Returns the limits of a project's server and their use. Throws 503. */
export async function readSending({ deps }: Ctx, project: ProjectRow): Promise<Sending> {
  const versioned = limitsOf(project);
  const { sender, ...use } = await askSender(deps, project.id, (object) =>
    object.limitSending(versioned),
  );
  return {
    limits: versioned.limits,
    use,
    sender,
    preset: presetFor(project.smtpHost, project.smtpUser),
  };
}

/**
 * Replaces the limits of a project's server. The route checks `projects:write`. They apply to every
 * mail from now on. Throws 503 when the project's object does not answer: the limits are
 * then saved, and apply from the next mail. Throws precondition_failed if the project is in none of
 * the expected states.
 */
export async function saveSending(
  ctx: Ctx,
  project: ProjectRow,
  limits: SendingLimits,
  expected?: number[],
): Promise<Sending & { project: ProjectRow }> {
  const { project: stored } = await changeProject(ctx, project.id, {
    columns: {
      sendingLimits: limits,
      sendingVersion: sql<number>`${projects.sendingVersion} + 1`,
    },
    action: "sending.update",
    facts: setLimits(limits),
    expected,
  });
  return { ...(await readSending(ctx, stored)), project: stored };
}

/** Returns the limits that are set, for the audit log. */
function setLimits(limits: SendingLimits): Record<string, number> {
  const entries = Object.entries(limits).filter(([, limit]) => limit !== null);
  return Object.fromEntries(entries);
}
