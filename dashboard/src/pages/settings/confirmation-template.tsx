import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { sayError } from "../../ui/error-words.tsx";
import { SelectField } from "../../ui/field.tsx";
import { printsConfirmation } from "./prints-confirmation.ts";
import { useSettingsText } from "./use-settings-text.ts";

interface ConfirmationTemplateProps {
  chosen: string | null;
  error: string | undefined;
  onChoose: (id: string | null) => void;
}

/** Selects the template of the confirmation email, whose HTML must contain the link. */
export function ConfirmationTemplate({ chosen, error, onChoose }: ConfirmationTemplateProps) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const templates = useQuery({
    queryKey: ["project", projectId, "templates", "whole"],
    queryFn: ({ signal }) => api.projects.templates.list({ projectId }, { signal }),
  });
  return (
    <SelectField
      label={text.confirmation}
      hint={text.confirmationHint}
      value={chosen ?? ""}
      error={error ?? (templates.error ? sayError(templates.error) : undefined)}
      onChange={({ target }) => onChoose(target.value || null)}
    >
      <option value="">{text.builtInConfirmation}</option>
      {chosen !== null && !templates.data && <option value={chosen}>{chosen}</option>}
      {templates.data?.map((template) => {
        const fits = "html_body" in template && printsConfirmation(template.html_body);
        return (
          <option key={template.id} value={template.id} disabled={!fits && template.id !== chosen}>
            {fits ? template.name : text.lacksLink(template.name)}
          </option>
        );
      })}
    </SelectField>
  );
}
