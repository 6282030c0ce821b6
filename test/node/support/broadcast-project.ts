import type { Dashboard } from "./dashboard.ts";
import { newSendingProject } from "./sending-project.ts";

/** The link in the emails of the project's template. */
export const LINK = "https://example.com/read";

/** Returns the address of the `n`th person of a project: no other project mails it. */
export const addressOf = (projectId: string, n = 0): string => `p${n}@${projectId}.example.com`;

/** A project that sends to the local mailbox, with a template and some people. */
export async function newProject(dashboard: Dashboard, people: number): Promise<string> {
  const id = await newSendingProject(dashboard, "Broadcasts");
  await dashboard.call("POST", `/projects/${id}/templates`, {
    name: "News",
    subject: "News of today",
    html_body: `<p>Hello {{name}}, <a href="${LINK}">read on</a></p>
      <p><a href="{{unsubscribe_url}}">Leave</a></p>`,
  });
  const rows = Array.from({ length: people }, (_, n) => ({ email: addressOf(id, n) }));
  await dashboard.call("POST", `/projects/${id}/subscribers/import`, rows);
  return id;
}

/** Starts a broadcast of the project's template, and returns its id. */
export async function start(
  dashboard: Dashboard,
  projectId: string,
  subject: string,
): Promise<string> {
  const at = `/projects/${projectId}`;
  const [template] = await dashboard.call<{ id: string }[]>("GET", `${at}/templates`);
  const body = { template_id: template?.id, subject };
  const headers = { Prefer: "respond-async" };
  const call = dashboard.call<{ broadcast_id: string }>;
  return (await call("POST", `${at}/broadcast`, body, undefined, headers)).broadcast_id;
}
