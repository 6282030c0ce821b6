import { useMe } from "../../api/session.ts";
import { Page } from "../../ui/page.tsx";
import { Appearance } from "./appearance.tsx";
import { useAccountText } from "./use-account-text.ts";

export function AccountPage() {
  const text = useAccountText();
  const { user } = useMe();
  return (
    <Page title={text.title} lead={user.email}>
      <Appearance />
    </Page>
  );
}
