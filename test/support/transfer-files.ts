/* Exports as lines that a test changes and imports. */
import { gunzipSync, gzipSync } from "node:zlib";
import { continuePurges } from "../../src/services/project-removal/index.ts";
import { purgeTopics } from "../../src/services/topics/index.ts";
import { newFullProject, rowsOf } from "./transfer-world.ts";
import { allRows, type Row } from "./rows.ts";
import type { Answer, Client, Service } from "./service.ts";

/** A line of an export: one field, which names its kind. */
export type Line = Record<string, Row>;

export const linesOf = (file: Uint8Array): Line[] =>
  new TextDecoder()
    .decode(gunzipSync(file))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** Returns a file with these lines. */
export const fileOf = (lines: readonly object[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));

/** Returns the export of a project without rows that another service had. */
export const emptyExport = (): Uint8Array<ArrayBuffer> =>
  fileOf([
    { export: { format: "postrider.project", version: 2, id: crypto.randomUUID() } },
    { end: { lines: 2 } },
  ]);

/** Returns the rows of a kind. */
export const rowsOfKind = (lines: Line[], kind: string): Row[] =>
  lines.flatMap((line) => (line[kind] ? [line[kind]] : []));

/** Returns lines of which the rows of one kind have other fields. */
export const changed = (
  lines: Line[],
  kind: string,
  change: Row | ((row: Row, n: number) => object),
): Line[] => {
  let n = 0;
  return lines.map((line) => {
    const row = line[kind];
    if (!row) return line;
    const fields = typeof change === "function" ? change(row, n++) : change;
    return { [kind]: { ...row, ...fields } };
  });
};

/** The calls that move projects of an owner. */
export function transferFiles(service: Service, owner: Client) {
  async function exportOf(id: string): Promise<Line[]> {
    const response = await service.fetch(`/api/v1/projects/${id}/export`, {
      headers: { Cookie: owner.cookie },
    });
    return linesOf(new Uint8Array(await response.arrayBuffer()));
  }

  /** Imports lines, or a file. */
  async function load(id: string, from: object[] | Uint8Array<ArrayBuffer>) {
    const body = from instanceof Uint8Array ? from : fileOf(from);
    const headers = { Cookie: owner.cookie, "Content-Type": "application/gzip" };
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
    const lines = await exportOf(project.id);
    await forget(project.id);
    return { project, before, lines };
  }

  return { exportOf, load, forget, newExport };
}
