import { selectProject } from "../../src/services/projects/index.ts";
import { SendingLine } from "../../src/services/sending/index.ts";
import type { Service } from "./service.ts";

/** The line of a worker to the mail server of a new project, with four connections. */
export async function newLine(service: Service): Promise<SendingLine> {
  const owner = await service.newOwner();
  const { id } = await owner.newProject();
  const deps = await service.deps();
  const [project] = await selectProject(deps.db, id);
  if (!project) throw new Error("no project");
  const line = new SendingLine(deps);
  await line.open(project);
  return line;
}
