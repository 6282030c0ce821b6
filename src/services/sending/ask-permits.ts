import type { Deps } from "../../deps.ts";
import { AppError, refusal } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { ProjectObject } from "../../project-object.ts";

/**
 * Asks the Durable Object that holds a project's permits. Throws 503 when it does not
 * answer: without it nobody knows what is left of the limits.
 */
export async function askPermits<Answer>(
  { limiter }: Pick<Deps, "limiter">,
  projectId: string,
  ask: (object: ProjectObject) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(limiter.get(limiter.idFromName(projectId)));
  } catch (error) {
    logLine("error", "permits_failed", { projectId, error: errorText(error) });
    throw refusal("mail_server_limits_unavailable", {});
  }
}

/** Ignores the error of an object that does not answer, which `askPermits` has logged. */
export function expectUnavailable(error: unknown): void {
  if (!(error instanceof AppError) || error.status !== 503) throw error;
}
