import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { Button } from "../../ui/button.tsx";
import { useDialogLock } from "../../ui/dialog-lock.ts";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { builtInQuery } from "./queries.ts";
import { blockStart } from "./blocks/block-start.ts";
import { useTemplatesText } from "./use-templates-text.ts";

interface NewTemplateProps {
  projectId: string;
  /** Initial selection: "blocks", "code", or the name of a built-in template. */
  start?: string;
}

/** Asks for a name and a starting point, and opens the new template. */
export function NewTemplate({ projectId, start: first = "blocks" }: NewTemplateProps) {
  const text = useTemplatesText();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const group = useId();
  const [name, setName] = useState(first === "blocks" || first === "code" ? "" : first);
  const [start, setStart] = useState(first);
  const builtIn = useQuery(builtInQuery(projectId));
  const create = useMutation({
    mutationFn: async () => {
      const known = builtIn.data?.templates.find((one) => one.name === start);
      const {
        subject = "",
        html_body = "",
        text_body = "",
      } = start === "blocks"
        ? { subject: text.starter.heading, html_body: await blockStart(text.starter) }
        : (known ?? {});
      return api.projects.templates.create({
        projectId,
        body: { name, subject, html_body, text_body },
      });
    },
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ["project", projectId, "templates"] });
      if (isHere())
        await navigate({
          to: "/p/$projectId/templates/$templateId",
          params: { projectId, templateId: id },
        });
    },
  });
  useDialogLock(create.isPending);
  const choices = [
    { value: "blocks", label: text.startBlocks, detail: text.startBlocksWords },
    { value: "code", label: text.startCode, detail: text.startCodeWords },
    ...(builtIn.data?.templates ?? []).map(({ name: value }) => ({
      value,
      label: text.builtInNames[value] ?? value,
      detail: text.builtInWords[value] ?? "",
    })),
  ];
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={problemsOf(create.error)["name"]}
        required
        autoFocus
      />
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="mb-2 text-sm font-medium">{text.beginWith}</legend>
        {choices.map(({ value, label, detail }) => (
          <label
            key={value}
            className="flex cursor-pointer gap-3 rounded-md border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={group}
              value={value}
              checked={start === value}
              onChange={() => setStart(value)}
              className="mt-1 accent-accent"
            />
            <span>
              <span className="block text-sm font-medium">{label}</span>
              <span className="block text-sm text-muted">{detail}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {builtIn.error && <ErrorWords error={builtIn.error} onRetry={() => void builtIn.refetch()} />}
      {create.error && <ErrorWords error={create.error} />}
      <Button type="submit" look="primary" isBusy={create.isPending}>
        {text.create}
      </Button>
    </form>
  );
}
