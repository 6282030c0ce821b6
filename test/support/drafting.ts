/*
 * Broadcasts as drafts inside a test, which drives the queue and the clock.
 *
 *   const { start, pass, look } = await draftWorld(5, { send_at: "…" });
 *   await start();
 *   await pass(AFTER_UNDO_MS);
 *   expect(await look()).toMatchObject({ state: "done", sent: 5 });
 */
import { expect } from "vitest";
import { runScheduled } from "../../src/cron/run-scheduled.ts";
import { scenario } from "./broadcasting.ts";
import { EVERY_MINUTE } from "./times.ts";

/** A little longer than a start can be undone. */
export const AFTER_UNDO_MS = 16_000;

/** The drafts here have the content of the broadcast before them, and some nobody to go to. */
export const ANYWAY = { accept: ["empty_audience", "similar_broadcast"] };

export interface Draft {
  id: string;
  state: string;
  error: string | null;
  starts_at: string | null;
  html_body: string | null;
  subject: string;
  name: string;
  [field: string]: unknown;
}

/** A project with subscribers and a draft of its template, which the test starts. */
export async function draftWorld(count: number, fields: object = {}) {
  const world = await scenario(0);
  await world.work();
  const { news, owner, deps, clock, service } = world;
  await news.subscribe(count);
  const at = `${news.path}/broadcasts`;
  const body = { name: "May", template_id: news.templateId, ...fields };
  const made = await owner.post<Draft>(at, body);
  expect(made).toMatchObject({ status: 201 });
  const { id } = made.body;
  const start = (headers = {}) =>
    owner.post<{ starts_at: string; error: string }>(`${at}/${id}/start`, ANYWAY, headers);
  const look = async () => (await owner.get<Draft>(`${at}/${id}`)).body;
  /** Lets time pass, and the sweep and the queue run. */
  const pass = async (ms: number) => {
    clock.aheadMs += ms;
    await runScheduled(deps, EVERY_MINUTE);
    await world.work();
  };
  const exec = (sql: string, ...values: unknown[]) =>
    service.env.DB.prepare(sql)
      .bind(...values)
      .run();
  /** The log of the project: each mail with its subject and the variant that it tried. */
  const mails = async () => {
    const { results } = await service.env.DB.prepare(
      `select m.to_email, m.status, m.subject, e.tags ->> '$.variant' as variant
       from logged_mails m join log_entries e on e.id = unhex(m.id, '-') where m.project_id = ?`,
    )
      .bind(news.id)
      .all<{ to_email: string; status: string; subject: string; variant: string | null }>();
    return results;
  };
  return { ...world, id, at, one: `${at}/${id}`, start, look, pass, exec, mails };
}

export type DraftWorld = Awaited<ReturnType<typeof draftWorld>>;
