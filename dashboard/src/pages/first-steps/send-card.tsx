import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMe } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { useStartText } from "./use-start-text.ts";

/** Built-in template of the first mail. */
const TEMPLATE = "welcome";

/**
 * Creates a project template from the built-in one, and sends it to the user as a subscriber,
 * because opens are tracked only for mail to subscribers (API reference §13.1).
 */
export function SendCard({ onSent }: { onSent: (logId: string) => void }) {
  const text = useStartText();
  const { id: projectId, name: product, smtp_host } = useProject();
  const { user } = useMe();
  const reasons = [
    useMayNot("templates:write"),
    useMayNot("subscribers:write"),
    useMayNot("send:transactional"),
  ];
  const send = useMutation({
    mutationFn: async () => {
      const [template_id, subscriber_id] = await Promise.all([
        ownTemplate(projectId),
        ownSubscriber(projectId, user),
      ]);
      const body = { subscriber_id, template_id, data: { product_name: product } };
      return api.projects.send({ projectId, body });
    },
    onSuccess: async ({ id }) => {
      onSent(id);
      await queryClient.invalidateQueries({ queryKey: ["project", projectId] });
    },
  });
  return (
    <Card title={`2. ${text.mail}`}>
      <div className="flex flex-col items-start gap-3">
        <p>{text.mailWords(TEMPLATE, user.email)}</p>
        <Button
          look="primary"
          isBusy={send.isPending}
          offBecause={
            smtp_host === null ? text.server : reasons.find((reason) => reason !== undefined)
          }
          onClick={() => send.mutate()}
        >
          {text.send}
        </Button>
        {send.error && <ErrorWords error={send.error} />}
      </div>
    </Card>
  );
}

/** Returns the project's template of that name; creates it from the built-in one if necessary. */
async function ownTemplate(projectId: string): Promise<string> {
  const own = await api.projects.templates.list({ projectId, fields: "summary" });
  const known = own.find(({ name }) => name === TEMPLATE);
  if (known) return known.id;
  const { templates } = await api.projects.templates.builtIn({ projectId });
  const source = templates.find(({ name }) => name === TEMPLATE);
  if (!source) throw new Error(`the service has no built-in template ${TEMPLATE}`);
  const { name, subject, html_body, text_body } = source;
  const made = await api.projects.templates.create({
    projectId,
    body: { name, subject, html_body, text_body },
  });
  return made.id;
}

/** Returns the subscriber with the user's address; creates it if necessary. */
async function ownSubscriber(
  projectId: string,
  { email, name }: { email: string; name: string },
): Promise<string> {
  const found = await api.projects.subscribers.list({ projectId, search: email });
  const own = found.subscribers.find((subscriber) => subscriber.email === email);
  if (own) return own.id;
  const made = await api.projects.subscribers.create({ projectId, body: { email, name } });
  return made.id;
}
