/* The removal of what a deleted project leaves: its rate, its bounds and its line in the log. */
import { afterEach, expect, it, vi } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { continuePurges } from "../../../src/services/project-removal/index.ts";
import { logEntry } from "../../support/log-entry.ts";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";

const service = createService();
const deps = await service.deps();
const owner = await service.newOwner();
const spy = vi.spyOn(console, "info").mockReturnValue();
afterEach(() => spy.mockClear());

/** Returns the lines of the log about removals. */
const lines = () =>
  spy.mock.calls
    .map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
    .filter(({ event }) => event === "projects_purged");
const numbersTo = (count: number) =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
const count = async (table: string, column: string, id: string) =>
  (await allRows(`select count(*) as n from ${table} where ${column} = ?`, id))[0]?.["n"];

it("empties a large table in one run, and logs one line per run", async () => {
  const { id } = await owner.newProject();
  await allRows(
    `${numbersTo(1_700)}
      insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at)
      select ?1 || i, ?1, i || '@any.test', 'manual', '', 1, 1 from n`,
    id,
  );
  expect((await owner.delete(`/projects/${id}`)).status).toBe(204);
  expect(await count("suppressions", "project_id", id)).toBe(1_200);
  service.d1.reset();
  await continuePurges(deps);
  expect(service.d1.roundTrips).toBe(5);
  expect(await count("suppressions", "project_id", id)).toBe(0);
  await continuePurges(deps);
  await continuePurges(deps);
  expect(await count("project_purges", "project_id", id)).toBe(0);
  const line = { level: "info", event: "projects_purged", projects: 1 };
  expect(lines()).toEqual([
    { ...line, ended: 0, entries: 0, rows: 1_200 },
    { ...line, ended: 1, entries: 0, rows: 0 },
  ]);
});

it("removes a bounded number of clicks per step, and a mail after its last click", async () => {
  const { id } = await owner.newProject();
  const entry = logEntry(id, { sentAt: deps.now() });
  await runBatch(deps.db, appendLog(deps, id, [entry]));
  await allRows(
    `${numbersTo(6_000)}
      insert into email_clicks (log_id, id, url, user_agent, ip_address, class, clicked_at)
      select ?1, i, '', '', '', 'human', 1 from n`,
    entry.id,
  );
  expect((await owner.delete(`/projects/${id}`)).status).toBe(204);
  expect(await count("email_clicks", "log_id", entry.id)).toBe(1_000);
  expect(await count("logged_mails", "project_id", id)).toBe(1);
  await continuePurges(deps);
  expect(await count("email_clicks", "log_id", entry.id)).toBe(0);
  expect(await count("logged_mails", "project_id", id)).toBe(0);
  expect(await count("project_purges", "project_id", id)).toBe(0);
  expect(lines()).toMatchObject([{ projects: 1, ended: 1, entries: 1 }]);
});
