import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMe } from "../../api/session.ts";
import { firstSend } from "../../../../src/lib/snippets.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Snippets } from "../../ui/snippets.tsx";
import { useStartText } from "./use-start-text.ts";

/** Stands in the example for a key that is not there yet. */
const PLACEHOLDER = "sk_…";

/** Next steps: send by API, or to a list; and reminders. */
export function NextSteps() {
  const text = useStartText();
  const { id: projectId } = useProject();
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      <CodeDoor />
      <Card title={text.listDoor}>
        <p className="mb-3">{text.listWords}</p>
        <LinkButton to="/p/$projectId/audience/import" params={{ projectId }}>
          {text.listLink}
        </LinkButton>
      </Card>
      <Card title={text.bounces}>
        <p className="mb-3">{text.bouncesWords}</p>
        <LinkButton to="/p/$projectId/settings/bounces" params={{ projectId }}>
          {text.bouncesLink}
        </LinkButton>
      </Card>
    </div>
  );
}

function CodeDoor() {
  const text = useStartText();
  const { id: projectId } = useProject();
  const { user } = useMe();
  const mayNot = useMayNot("api_keys:write");
  const make = useMutation({
    mutationFn: () => api.projects.apiKeys.create({ projectId, body: { name: text.keyName } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["project", projectId, "keys"] }),
  });
  const { origin } = location;
  const key = make.data?.key ?? PLACEHOLDER;
  const call = firstSend({ origin, projectId, key, email: user.email });
  return (
    <Card title={text.codeDoor} className="lg:col-span-2">
      <div className="flex flex-col items-start gap-3">
        <p>{text.codeWords}</p>
        {!make.data && (
          <Button isBusy={make.isPending} offBecause={mayNot} onClick={() => make.mutate()}>
            {text.makeKey}
          </Button>
        )}
        {make.error && <ErrorWords error={make.error} />}
        {make.data && (
          <div className="flex w-full flex-col gap-3">
            <Notice tone="warn">{text.keyOnce}</Notice>
            <CodeBlock label={text.keyLabel} code={make.data.key} />
          </div>
        )}
        <Snippets call={call} label={text.snippetLabel} />
      </div>
    </Card>
  );
}
