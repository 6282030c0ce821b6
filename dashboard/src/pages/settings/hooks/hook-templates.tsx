import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { problemsOf, sayError } from "../../../ui/error-words.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { useSaving } from "../use-saving.ts";
import { hookQuery, type Hook } from "./hook.ts";
import { useHooksText } from "./use-hooks-text.ts";

type Action = keyof ReturnType<typeof useHooksText>["actions"];

/** The templates for the emails of Supabase. */
export function HookTemplates({ hook }: { hook: Hook }) {
  const text = useHooksText();
  const { id: projectId } = useProject();
  const [chosen, setChosen] = useState(hook.templates);
  const templates = useQuery({
    queryKey: ["project", projectId, "templates", "whole"],
    queryFn: ({ signal }) => api.projects.templates.list({ projectId }, { signal }),
  });
  const service = "supabase";
  const save = useSaving(hookQuery(projectId, service).queryKey, () =>
    api.projects.authHooks.save({ projectId, service, body: { templates: chosen } }),
  );
  const choose = (action: Action, id: string) => {
    const { [action]: _former, ...others } = chosen;
    setChosen(id === "" ? others : { ...others, [action]: id });
  };
  const problems = problemsOf(save.error);
  return (
    <details className="rounded-lg border border-line p-3">
      <summary className="cursor-pointer font-medium">{text.templates}</summary>
      <p className="my-3 text-sm text-muted">{text.templatesHint}</p>
      {templates.error && <p>{sayError(templates.error)}</p>}
      <Form
        of={save}
        onSubmit={() => save.mutate(undefined)}
        action={text.saveTemplates}
        look="plain"
      >
        {(Object.entries(text.actions) as [Action, string][]).map(([action, label]) => (
          <SelectField
            key={action}
            label={label}
            value={chosen[action] ?? ""}
            error={problems[`templates.${action}`]}
            onChange={({ target }) => choose(action, target.value)}
          >
            <option value="">{action.endsWith("_notification") ? text.none : text.builtIn}</option>
            {templates.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        ))}
      </Form>
    </details>
  );
}
