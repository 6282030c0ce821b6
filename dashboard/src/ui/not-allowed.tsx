import { useMay, useProject, useProjectWorkspace } from "../api/projects.ts";
import { useHasFeature, useWorkspace, type Capability, type Feature } from "../api/session.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Notice } from "./notice.tsx";

/** Says that the person's role does not allow something in this project; nothing if it does. */
export const RoleNotice = ({ capability }: { capability: Capability }) => (
  <WorkspaceRoleNotice workspaceId={useProject().workspace_id} capability={capability} />
);

/** Says that the person's role does not allow something in a workspace; nothing if it does. */
export function WorkspaceRoleNotice(props: { workspaceId: string; capability: Capability }) {
  const text = useSharedText();
  const workspace = useWorkspace(props.workspaceId);
  if (!workspace || workspace.capabilities.includes(props.capability)) return null;
  return <Notice>{text.mayNot(text.roleNames[workspace.role], workspace.name)}</Notice>;
}

/** Returns why the person may not do something here, for `offBecause`; undefined if they may. */
export function useMayNot(capability: Capability): string | undefined {
  const text = useSharedText();
  const workspace = useProjectWorkspace();
  return useMay(capability) || !workspace
    ? undefined
    : text.mayNotShort(text.roleNames[workspace.role]);
}

/** Returns why the person may not do something in a workspace; undefined if they may. */
export function useMayNotIn(workspaceId: string, capability: Capability): string | undefined {
  const text = useSharedText();
  const workspace = useWorkspace(workspaceId);
  if (!workspace || workspace.capabilities.includes(capability)) return undefined;
  return text.mayNotShort(text.roleNames[workspace.role]);
}

/** Returns that a feature needs a licence, for `offBecause`; undefined if the service has it. */
export function useLacks(feature: Feature): string | undefined {
  const text = useSharedText();
  return useHasFeature(feature) ? undefined : text.licenceNeeded(feature);
}

/** Says that a feature needs a licence; nothing if the service has it. */
export function LicenceNotice({ feature }: { feature: Feature }) {
  const words = useLacks(feature);
  return words && <Notice>{words}</Notice>;
}
