import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { PostriderError } from "../api/client.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { LinkButton } from "../ui/button.tsx";
import { ErrorWords } from "../ui/error-words.tsx";
import { Page } from "../ui/page.tsx";
import { MissingPage } from "./missing-page.tsx";

/** Error page for a route that failed to load or threw. */
export function RouteFault({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const text = useSharedText();
  if (error instanceof PostriderError && isGone(error)) return <MissingPage />;
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return (
    <Page title={text.errorTitle}>
      <ErrorWords
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={retry}
      />
      <div>
        <LinkButton to="/">{text.backToStart}</LinkButton>
      </div>
    </Page>
  );
}

/** A malformed id is 400, and an unknown id is 404. */
const isGone = ({ status }: PostriderError) => status === 404 || status === 400;
