import { useMay, useProject, useProjectWorkspace } from "../api/projects.ts";
import { useHasFeature, useWorkspace, type Capability, type Feature } from "../api/session.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Notice } from "./notice.tsx";

/**
 * Explains that the user's role does not allow an action in this project; renders nothing if it
 * does.
 */
export const RoleNotice = ({ capability }: { capability: Capability }) => (
  <WorkspaceRoleNotice workspaceId={useProject().workspace_id} capability={capability} />
);

/**
 * Explains that the user's role does not allow an action in a workspace; renders nothing if it
 * does.
 */
export function WorkspaceRoleNotice(props: { workspaceId: string; capability: Capability }) {
  const text = useSharedText();
  const workspace = useWorkspace(props.workspaceId);
  if (!workspace || workspace.capabilities.includes(props.capability)) return null;
  return <Notice>{text.mayNot(text.roleNames[workspace.role], workspace.name)}</Notice>;
}

/** Returns why the user may not perform an action here, for `offBecause`; undefined if allowed. */
export function useMayNot(capability: Capability): string | undefined {
  const text = useSharedText();
  const workspace = useProjectWorkspace();
  return useMay(capability) || !workspace
    ? undefined
    : text.mayNotShort(text.roleNames[workspace.role]);
}

/** Returns why the user may not perform an action in a workspace; undefined if allowed. */
export function useMayNotIn(workspaceId: string, capability: Capability): string | undefined {
  const text = useSharedText();
  const workspace = useWorkspace(workspaceId);
  if (!workspace || workspace.capabilities.includes(capability)) return undefined;
  return text.mayNotShort(text.roleNames[workspace.role]);
}

/**
 * Returns a message that a feature needs a license, for `offBecause`; undefined if the license
 * includes it.
 */
export function useLacks(feature: Feature): string | undefined {
  const text = useSharedText();
  return useHasFeature(feature) ? undefined : text.licenceNeeded(feature);
}

/** Explains that a feature needs a license; renders nothing if the license includes it. */
export function LicenseNotice({ feature }: { feature: Feature }) {
  const words = useLacks(feature);
  return words && <Notice>{words}</Notice>;
}
