/* Exports as files that a test changes and imports. */
import { readZip } from "../../src/lib/read-zip.ts";
import type { ZipEntry } from "../../src/lib/zip-format.ts";
import { continuePurges } from "../../src/services/project-removal/index.ts";
import { purgeTopics } from "../../src/services/topics/index.ts";
import { newFullProject, rowsOf } from "./transfer-world.ts";
import { allRows } from "./rows.ts";
import type { Answer, Client, Service } from "./service.ts";

export const bytesOf = (value: unknown) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

export async function* listed<Item>(items: Item[]) {
  yield* items;
}

/** Returns files of which one has another text. */
export const changed = (
  files: ZipEntry[],
  name: string,
  change: (text: string) => string,
): ZipEntry[] =>
  files.map((file) => {
    if (file.name !== name) return file;
    const text = change(new TextDecoder().decode(file.bytes));
    return { name, bytes: new TextEncoder().encode(text) };
  });

/** The calls that move projects of an owner. */
export function transferFiles(service: Service, owner: Client) {
  async function exportOf(id: string): Promise<ZipEntry[]> {
    const response = await service.fetch(`/api/v1/projects/${id}/export`, {
      headers: { Cookie: owner.cookie },
    });
    const files: ZipEntry[] = [];
    const bounds = { entryBytes: 10_000_000, totalBytes: 50_000_000, entries: 1_000, ratio: 50 };
    const zip = new Uint8Array(await response.arrayBuffer());
    for await (const file of readZip(listed([zip]), bounds)) files.push(file);
    return files;
  }

  async function load(id: string, body: Uint8Array<ArrayBuffer>) {
    const headers = { Cookie: owner.cookie, "Content-Type": "application/zip" };
    const path = `/api/v1/projects/${id}/import`;
    const response = await service.fetch(path, { method: "POST", headers, body });
    return { status: response.status, body: await response.json<Answer["body"]>() };
  }

  /** Removes every trace of a project. */
  async function forget(id: string) {
    await owner.delete(`/projects/${id}`);
    const deps = await service.deps();
    const isThere = () => allRows("select 1 from project_purges where project_id = ?", id);
    while ((await isThere()).length > 0) await continuePurges(deps);
    await purgeTopics(deps);
  }

  /** Makes a project, exports it, and forgets it: as a service elsewhere sees its file. */
  async function newExport() {
    const project = await newFullProject(service, owner);
    const before = await rowsOf(project.id);
    const files = await exportOf(project.id);
    await forget(project.id);
    return { project, before, files };
  }

  return { exportOf, load, forget, newExport };
}
