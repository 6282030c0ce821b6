import { expect } from "vitest";
import type { Dashboard } from "./dashboard.ts";
import { readJson, readLine, type Run } from "./local-run.ts";

/** Makes a project that sends to the local mailbox, and returns its id. */
export async function newSendingProject(dashboard: Dashboard, name: string): Promise<string> {
  const demo = await dashboard.call<Record<string, unknown>>(
    "GET",
    `/projects/${dashboard.projectId()}`,
  );
  const { id } = await dashboard.call<{ id: string }>("POST", "/projects", { name });
  await dashboard.call("PUT", `/projects/${id}/smtp`, {
    smtp_host: demo["smtp_host"],
    smtp_port: demo["smtp_port"],
    smtp_user: "demo",
    smtp_password: "demo",
    from_name: "Ann",
    from_email: "ann@example.com",
  });
  return id;
}

/**
 * Follows the first link of the mail to an address, as soon as it is there, and loads its image.
 * Only a mail to a subscriber has one.
 */
export async function visitMail(run: Run, to: string): Promise<void> {
  const inbox = `${readLine(run, "Inbox")}api/messages`;
  const list = async () =>
    (await readJson<{ messages: { id: string }[] }>(await fetch(`${inbox}?to=${to}`))).messages;
  await expect.poll(async () => (await list()).length).toBe(1);
  const [mail] = await list();
  const { html } = await readJson<{ html: string }>(await fetch(`${inbox}/${mail?.id}`));
  for (const [, address = ""] of html.matchAll(/<img[^>]* src="([^"]+)"/g)) await fetch(address);
  const [, link = ""] = /href="([^"]+)"/.exec(html) ?? [];
  await fetch(link, { redirect: "manual" });
}
