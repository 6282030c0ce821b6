import { createRoute, redirect } from "@tanstack/react-router";
import { forgetProject, lastProject } from "../../app/last-project.ts";
import { signedInRoute } from "../../app/parents.ts";
import { PostriderError } from "../../api/client.ts";
import { projectQuery } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { meQuery } from "../../api/session.ts";

/** `/` redirects to the last project, or to the projects of the first workspace. */
export const startRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/",
  beforeLoad: async (): Promise<void> => {
    const projectId = lastProject();
    if (projectId !== undefined && (await isThere(projectId)))
      throw redirect({ to: "/p/$projectId", params: { projectId }, replace: true });
    const { workspaces } = await queryClient.ensureQueryData(meQuery);
    const [first] = workspaces;
    if (!first) throw redirect({ to: "/account", replace: true });
    throw redirect({ to: "/w/$workspaceId", params: { workspaceId: first.id }, replace: true });
  },
});

/** Resolves to true if the user can still access a project; forgets the project otherwise. */
async function isThere(projectId: string): Promise<boolean> {
  try {
    await queryClient.ensureQueryData(projectQuery(projectId));
    return true;
  } catch (error) {
    if (!(error instanceof PostriderError) || ![400, 403, 404].includes(error.status)) throw error;
    forgetProject();
    return false;
  }
}
