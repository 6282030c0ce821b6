import { LinkButton } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { useMe } from "../../api/session.ts";
import { Appearance } from "./appearance.tsx";
import { NewWorkspace } from "./new-workspace.tsx";
import { OwnAudit } from "./own-audit.tsx";
import { PasswordCard } from "./password-card.tsx";
import { ProfileCard } from "./profile-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { TokensCard } from "./tokens-card.tsx";
import { useAccountText } from "./use-account-text.ts";

export function AccountPage() {
  const text = useAccountText();
  const { user } = useMe();
  return (
    <Page
      shape="groups"
      title={text.title}
      lead={user.email}
      actions={<LinkButton to="/account/service">{text.service}</LinkButton>}
    >
      <ProfileCard />
      <Appearance />
      <PasswordCard />
      <SessionsCard />
      <TokensCard />
      <OwnAudit />
      <NewWorkspace />
    </Page>
  );
}
