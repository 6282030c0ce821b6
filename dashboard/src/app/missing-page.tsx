import { useSharedText } from "../text/shared/use-shared-text.ts";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Page } from "../ui/page.tsx";

/** The not-found page. */
export function MissingPage() {
  const text = useSharedText();
  return (
    <Page title={text.notFoundTitle}>
      <EmptyState
        title={text.notFoundTitle}
        action={<LinkButton to="/">{text.backToStart}</LinkButton>}
      >
        {text.notFoundWords}
      </EmptyState>
    </Page>
  );
}
