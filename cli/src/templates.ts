import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Template, TemplateSummary } from "../../client/src/index.ts";
import { Failure } from "./failure.ts";
import { plain, print } from "./output.ts";
import { projectOf, type Session } from "./session.ts";
import {
  changesOf,
  hashOf,
  isCompiled,
  newFolder,
  readBases,
  readFolders,
  writeBases,
  writeFolder,
  type Base,
  type Bases,
  type Content,
} from "./template-files.ts";

interface TemplateOptions {
  "dry-run"?: boolean | undefined;
  force?: boolean | undefined;
  project?: string | undefined;
  json: boolean;
}

interface Step {
  folder: string;
  change: "create" | "update" | "unchanged" | "conflict";
  /** The fields that change, or why there is a conflict. */
  words: string;
  content: Content;
  remote?: Template | undefined;
}

/** Writes the templates of a project into folders. Changes made there stay unless forced. */
export async function pull(session: Session, dir: string, options: TemplateOptions): Promise<void> {
  const { projectId, remotes, locals, bases, own } = await open(session, dir, options);
  const taken = new Set<string>();
  const steps = remotes.map((remote): Step => {
    const content = contentOf(remote);
    const folder =
      folderOf(remote, locals, own, taken) ??
      newFolder(remote.name, (one) => taken.has(one) || existsSync(join(dir, one)));
    const local = locals.get(folder);
    taken.add(folder);
    const step = { folder, content, remote };
    if (!local) return { ...step, change: "create", words: "" };
    const words = changesOf(local, content).join(", ");
    if (words === "") return { ...step, change: "unchanged", words };
    if (isCompiled(dir, folder) && local.html_body !== content.html_body)
      return { ...step, change: "conflict", words: "its source is compiled: change it there" };
    if (!options.force && own[folder]?.hash !== hashOf(local))
      return { ...step, change: "conflict", words: `changed here: ${words}` };
    return { ...step, change: "update", words };
  });
  await carryOut(steps, options, async ({ folder, content, change, remote }) => {
    if (change !== "unchanged") writeFolder(dir, folder, content);
    if (remote) own[folder] = baseOf(remote);
    writeBases(dir, { ...bases, [projectId]: own });
  });
}

/** Saves the folders as templates. Templates that changed meanwhile stay unless forced. */
export async function push(session: Session, dir: string, options: TemplateOptions): Promise<void> {
  const { projectId, remotes, locals, bases, own } = await open(session, dir, options);
  if (locals.size === 0) throw new Failure(`${dir} has no folder with a template.json`, "empty");
  const steps = [...locals].map(([folder, content]): Step => {
    const named = remotes.filter((remote) => folderOf(remote, locals, own) === folder);
    const remote = named.find(({ id }) => id === own[folder]?.id) ?? named[0];
    const step = { folder, content, remote };
    if (!remote) return { ...step, change: "create", words: "" };
    const words = changesOf(contentOf(remote), content).join(", ");
    if (words === "") return { ...step, change: "unchanged", words };
    if (!options.force && own[folder]?.updated_at !== remote.updated_at)
      return { ...step, change: "conflict", words: `changed in the project: ${words}` };
    return { ...step, change: "update", words };
  });
  const { templates } = session.client.projects;
  await carryOut(steps, options, async ({ folder, content, change, remote }) => {
    let saved = remote;
    if (change === "create") saved = await templates.create({ projectId, body: content });
    else if (remote && change === "update") {
      const at = { projectId, templateId: remote.id };
      let ifMatch = "";
      const onResponse = ({ headers }: Response) => void (ifMatch = headers.get("ETag") ?? "");
      const now = await templates.get(at, { onResponse });
      if (now.updated_at !== remote.updated_at)
        throw new Failure(`${folder} was just changed in the project: push again`, "conflict");
      saved = await templates.update({ ...at, body: content }, { ifMatch });
    }
    if (saved) own[folder] = baseOf(saved, content);
    writeBases(dir, { ...bases, [projectId]: own });
  });
}

async function open(session: Session, dir: string, options: TemplateOptions) {
  const projectId = await projectOf(session, options.project);
  const list: (Template | TemplateSummary)[] = await session.client.projects.templates.list({
    projectId,
  });
  const remotes = list.filter((one): one is Template => "html_body" in one);
  const bases = readBases(dir);
  const known = Object.entries(bases[projectId] ?? {});
  const own = Object.fromEntries(
    known.filter(([, base]) => remotes.some(({ id }) => id === base.id)),
  );
  return { projectId, remotes, locals: await readFolders(dir), bases, own };
}

/** Returns the folder of a template: the one it was pulled into, or a free one with its name. */
function folderOf(
  remote: Template,
  locals: Map<string, Content>,
  own: Bases,
  taken: ReadonlySet<string> = new Set(),
): string | undefined {
  const known = Object.keys(own).find((folder) => own[folder]?.id === remote.id);
  if (known !== undefined && locals.has(known)) return known;
  const isFree = (folder: string) => !own[folder] && !taken.has(folder);
  return [...locals].find(([folder, { name }]) => name === remote.name && isFree(folder))?.[0];
}

/** Prints the changes, and makes them unless one of them is a conflict. */
async function carryOut(
  steps: Step[],
  { json, "dry-run": isDry = false }: TemplateOptions,
  make: (step: Step) => Promise<void>,
): Promise<void> {
  const conflicts = steps.filter(({ change }) => change === "conflict").length;
  if (conflicts === 0 && !isDry) for (const step of steps) await make(step);
  const shown = steps.map(({ folder, change, words }) => ({ folder, change, words }));
  const lines = shown
    .filter(({ change }) => change !== "unchanged")
    .map(({ folder, change, words }) => plain(`${change.padEnd(9)} ${folder}  ${words}`).trimEnd());
  print(json, { dry_run: isDry, templates: shown }, lines.join("\n") || "Nothing to change.");
  if (conflicts > 0)
    throw new Failure(`${conflicts} in conflict, so nothing was changed: see --force`, "conflict");
}

const contentOf = (template: Template): Content => ({
  name: template.name,
  subject: template.subject,
  public: template.public,
  html_body: template.html_body,
  text_body: template.text_body,
});

const baseOf = (remote: Template, content = contentOf(remote)): Base => ({
  id: remote.id,
  updated_at: remote.updated_at,
  hash: hashOf(content),
});
