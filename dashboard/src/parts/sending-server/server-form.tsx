import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { projectQuery, useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMe } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { changedExtras, extrasOf, ServerExtras } from "./server-extras.tsx";
import { failedTestOf, TestSteps } from "./test-steps.tsx";
import { useServerText } from "./use-server-text.ts";

const USUAL_PORT = "587";

/** The sending server of the project. It is tested first, and saved when the test succeeded. */
export function ServerForm({ onSaved }: { onSaved?: () => void }) {
  const text = useServerText();
  const project = useProject();
  const { user } = useMe();
  const { id: projectId } = project;
  const mayNot = useMayNot("projects:write");
  const [form, setForm] = useState({
    smtp_host: project.smtp_host ?? "",
    smtp_port: String(project.smtp_port ?? USUAL_PORT),
    smtp_user: project.smtp_user ?? "",
    smtp_password: "",
    from_name: project.from_name ?? user.name,
    from_email: project.from_email ?? "",
  });
  const [extras, setExtras] = useState(() => extrasOf(project));
  const settings = () => {
    const { smtp_password, smtp_port, ...rest } = form;
    const password = smtp_password === "" ? {} : { smtp_password };
    return { ...rest, ...password, smtp_port: Number(smtp_port) };
  };
  const save = useMutation({
    mutationFn: async () => {
      const tested = await api.projects.smtp.test({ projectId, body: settings() });
      const saved = await api.projects.smtp.save({
        projectId,
        body: { ...settings(), ...changedExtras(project, extras) },
      });
      return { tested, saved };
    },
    onSuccess: ({ saved }) => {
      queryClient.setQueryData(projectQuery(projectId).queryKey, saved);
      setExtras(extrasOf(saved));
      onSaved?.();
    },
  });
  const problems = problemsOf(save.error);
  const failed = failedTestOf(save.error);
  const fieldOf = (name: keyof typeof form) => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) =>
      setForm({ ...form, [name]: event.target.value }),
    error: problems[name],
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
        <TextField label={text.host} hint={text.hostHint} required {...fieldOf("smtp_host")} />
        <TextField
          label={text.port}
          hint={text.portHint}
          inputMode="numeric"
          pattern="[0-9]+"
          required
          {...fieldOf("smtp_port")}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={text.user} autoComplete="off" required {...fieldOf("smtp_user")} />
        <TextField
          label={text.password}
          type="password"
          autoComplete="off"
          {...(project.smtp_host === null ? { required: true } : { hint: text.passwordKept })}
          {...fieldOf("smtp_password")}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={text.fromName} {...fieldOf("from_name")} />
        <TextField label={text.fromEmail} type="email" required {...fieldOf("from_email")} />
      </div>
      <p className="text-sm text-muted">{text.fromHint}</p>
      <ServerExtras typed={extras} onChange={setExtras} problems={problems} />
      <p className="text-sm text-muted">{text.testWords(user.email)}</p>
      <div>
        <Button type="submit" look="primary" isBusy={save.isPending} offBecause={mayNot}>
          {save.isPending ? text.testing : text.testAndSave}
        </Button>
      </div>
      {save.data && (
        <Notice tone="good" role="status">
          {text.worked(save.data.tested.to)}
        </Notice>
      )}
      {save.error && !failed && <ErrorWords error={save.error} />}
      {save.error && failed && (
        <Notice tone="bad" role="alert">
          <p>{text.refused}</p>
          <p className="mt-1 font-medium">{save.error.message}</p>
        </Notice>
      )}
      {failed && <TestSteps steps={failed.steps} />}
      {failed?.alternative && (
        <Notice>
          <p>
            {text.alternative(String(failed.alternative.port))} {failed.alternative.remedy}
          </p>
          {failed.alternative.ok && (
            <Button
              className="mt-2"
              onClick={() => setForm({ ...form, smtp_port: String(failed.alternative?.port) })}
            >
              {text.usePort(String(failed.alternative.port))}
            </Button>
          )}
        </Notice>
      )}
    </form>
  );
}
