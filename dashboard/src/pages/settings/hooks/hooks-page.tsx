import { useProject } from "../../../api/projects.ts";
import { RoleNotice, useMayNot } from "../../../ui/not-allowed.tsx";
import { SettingsFrame } from "../settings-frame.tsx";
import { useSettingsText } from "../use-settings-text.ts";
import { HookCard } from "./hook-card.tsx";
import { useHooksText } from "./use-hooks-text.ts";

/** The hooks by which services send their emails and report events; visible only to some roles. */
export function HooksPage() {
  const { hooks } = useSettingsText();
  const text = useHooksText();
  const { id } = useProject();
  const mayNot = useMayNot("projects:write");
  return (
    <SettingsFrame title={hooks} lead={text.lead}>
      <RoleNotice capability="projects:write" />
      {mayNot ? (
        <p>{text.hidden}</p>
      ) : (
        <>
          <HookCard key={`${id} supabase`} service="supabase" title="Supabase Auth" />
          <HookCard key={`${id} clerk`} service="clerk" title="Clerk" />
          <HookCard key={`${id} stripe`} service="stripe" title="Stripe" />
        </>
      )}
    </SettingsFrame>
  );
}
