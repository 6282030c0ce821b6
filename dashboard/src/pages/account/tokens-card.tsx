import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { CredentialsLink } from "../../ui/credentials-link.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { NewToken } from "./new-token.tsx";
import { useAccountText } from "./use-account-text.ts";

type Token = Api.AccessToken;

const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => api.auth.tokens.list({}, { signal }),
});

/** The user's access tokens. A token itself is shown only once. */
export function TokensCard() {
  const text = useAccountText();
  const tokens = useQuery(tokensQuery);
  const [isCreating, setCreating] = useState(false);
  return (
    <Card
      title={text.tokens}
      actions={<Button onClick={() => setCreating(true)}>{text.newToken}</Button>}
    >
      <p className="mb-3 text-sm text-muted">
        {text.tokensWords} <CredentialsLink />
      </p>
      <Loaded query={tokens} lines={1}>
        {({ tokens: rows }) => (rows.length > 0 ? <Tokens rows={rows} /> : <p>{text.noTokens}</p>)}
      </Loaded>
      <Dialog isOpen={isCreating} onClose={() => setCreating(false)} title={text.newToken}>
        <NewToken onDone={() => setCreating(false)} />
      </Dialog>
    </Card>
  );
}

function Tokens({ rows }: { rows: Token[] }) {
  const text = useAccountText();
  const [ending, setEnding] = useState<Token>();
  const end = useMutation({
    mutationFn: ({ token: { id: tokenId }, signal }: { token: Token; signal: AbortSignal }) =>
      api.auth.tokens.end({ tokenId }, { signal }),
    onSuccess: (_, { token: { name } }) => {
      setEnding(undefined);
      showToast(text.tokenEnded(name));
      // not awaited, so that the next dialog does not wait for the list
      void queryClient.invalidateQueries(tokensQuery);
    },
  });
  const columns: Column<Token>[] = [
    {
      key: "name",
      head: text.name,
      cell: ({ name }) => <span className="wrap-break-word">{name}</span>,
    },
    {
      key: "projects",
      head: text.projects,
      isMinor: true,
      cell: ({ project_ids }) =>
        project_ids === null ? text.allProjects : text.projectCount(project_ids.length),
    },
    {
      key: "used",
      head: text.lastSeen,
      isMinor: true,
      cell: ({ last_used_at }) => <When at={last_used_at} />,
    },
    { key: "expires", head: text.expires, cell: ({ expires_at }) => <When at={expires_at} /> },
    {
      key: "end",
      head: <span className="sr-only">{text.end}</span>,
      cell: (token) => (
        <Button
          look="quiet"
          aria-label={text.endToken(token.name)}
          onClick={() => setEnding(token)}
        >
          {text.end}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table label={text.tokens} columns={columns} rows={rows} keyOf={({ id }) => id} />
      <ConfirmDialog
        isOpen={ending !== undefined}
        onClose={() => setEnding(undefined)}
        onConfirm={(signal) => ending && end.mutate({ token: ending, signal })}
        title={text.endTokenTitle(ending?.name ?? "")}
        action={text.end}
        isBusy={end.isPending}
        error={end.error}
      >
        {text.endTokenWords}
      </ConfirmDialog>
    </>
  );
}
