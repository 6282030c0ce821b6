/* The import of an exported project in which somebody was erased meanwhile (§9.9, §12.13). */
import { describe, expect, it } from "vitest";
import { changed, transferFiles } from "../../support/transfer-files.ts";
import { rowsOf, zipOf } from "../../support/transfer-world.ts";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const { forget, load, newExport } = transferFiles(service, owner);

/**
 * Begins the import of an export whose log names Ann in each entry: by her address, by her former
 * one, and as a copy. It breaks off after the rows of a kind.
 */
async function brokenOff(lastKind: string) {
  const { files: plain, before, project } = await newExport();
  const { ann } = project;
  const own = { subject: "Dear Ann", error: "550 Ann", queue_id: "Ann-1", tags: { who: "Ann" } };
  const named = [
    { ...own, to_email: "ann@list.test", subscriber_id: null, opened_user_agent: "Ann" },
    { ...own, to_email: "former-ann@list.test", subscriber_id: ann, opened_ip: "192.0.2.77" },
    { copies: [{ email: "ann@list.test", status: "failed", error: "550" }] },
  ];
  const files = changed(plain, "email_log-00001.ndjson", (text) =>
    text
      .trim()
      .split("\n")
      .map((line, n) => JSON.stringify({ ...(JSON.parse(line) as object), ...named[n] }))
      .join("\n"),
  );
  const { id } = await owner.newProject();
  const end = files.findIndex(({ name }) => name === `${lastKind}-00001.ndjson`) + 1;
  const cut = await load(id, await zipOf(files.slice(0, end)));
  expect(cut).toMatchObject({ status: 400, body: { error: /early/u } });
  return { id, ann, before, files, again: async () => load(id, await zipOf(files)) };
}

const erase = async (id: string, email: string) =>
  expect((await owner.post(`/projects/${id}/erasures`, { email })).status).toBe(204);

/** Expects no row of a project that names Ann. */
async function requireNoAnn(id: string, ann: string, also = ["ann@list.test", "Ann"]) {
  const { broadcasts: _, subscriber_mailings: __, ...rows } = await rowsOf(id); // ids alone
  const text = JSON.stringify(rows);
  for (const trace of ["former-ann@list.test", "192.0.2.77", ann, ...also])
    expect(text).not.toContain(trace);
  const logged = await allRows(
    "select 1 from log_entries where project_id = unhex(?, '-') and subscriber_id = unhex(?, '-')",
    id,
    ann,
  );
  expect(logged).toEqual([]);
}

describe("an import that is repeated after an erasure", () => {
  it("restores no one who was erased since it was interrupted, nor any trace of the person", async () => {
    for (const last of ["topics", "subscribers"]) {
      const { id, again, ann, before } = await brokenOff(last);
      if (last === "subscribers")
        await owner.delete(`/projects/${id}/subscribers/${ann}?erase=true`);
      else await erase(id, "ann@list.test");
      await erase(id, "gone@list.test");
      expect(await again()).toMatchObject({ body: { done: true, rows: { subscribers: 3 } } });
      await requireNoAnn(id, ann);
      const after = await rowsOf(id);
      expect(after["totals"]).toEqual(before["totals"]);
      expect(after["suppressions"]).toEqual([]);
      expect(after["counters"]).toEqual([
        { ...before["counters"]?.[0], subscribers_active: 0, suppressions_hard_bounce: 0 },
      ]);
      expect(after["log_entries"]).toHaveLength(3);
    }
  });

  it("restores no one who was erased under another address, or deleted, since it was interrupted", async () => {
    const { id, again, ann, files } = await brokenOff("subscribers");
    const person = `/projects/${id}/subscribers/${ann}`;
    await allRows("update project_imports set files = 3 where project_id = ?", id);
    await owner.request("PATCH", person, { email: "other@list.test" });
    await owner.delete(`${person}?erase=true`);
    expect(await again()).toMatchObject({ body: { done: true } });
    await requireNoAnn(id, ann, ["other@list.test"]);
    expect((await rowsOf(id))["subscribers"]).toHaveLength(2);
    await forget(id);
    const twin = await owner.newProject();
    const names = files.map(({ name }) => name);
    const part = files.slice(0, names.indexOf("subscribers-00001.ndjson") + 1);
    expect(await load(twin.id, await zipOf(part))).toMatchObject({ status: 400 });
    await owner.delete(`/projects/${twin.id}/subscribers/${ann}`);
    expect(await load(twin.id, await zipOf(files))).toMatchObject({ body: { done: true } });
    expect(JSON.stringify((await rowsOf(twin.id))["consent_events"])).not.toContain(ann);
  });

  it("stops and must be repeated if a person is erased while it writes, and adds nothing of the person", async () => {
    const { id, again, ann } = await brokenOff("segments");
    service.d1.before = async (statements) => {
      if (!statements.some((text) => text.includes("insert into log_entries"))) return;
      service.d1.before = undefined;
      await owner.delete(`/projects/${id}/subscribers/${ann}?erase=true`);
    };
    expect(await again()).toMatchObject({ status: 200, body: { done: false } });
    await requireNoAnn(id, ann);
    expect(await again()).toMatchObject({ status: 200, body: { done: true } });
    await requireNoAnn(id, ann);
    expect((await rowsOf(id))["log_entries"]).toHaveLength(3);
  });
});
