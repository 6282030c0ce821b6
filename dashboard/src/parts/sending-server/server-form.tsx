import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { projectQuery, projectVersionQuery, useProject, type Project } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMe } from "../../api/session.ts";
import type { Versioned } from "../../api/versioned.ts";
import { sayMessage } from "../../text/messages.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { LeaveGuard } from "../leave-guard/leave-guard.tsx";
import { SettingsBehind } from "../settings-edit/settings-behind.tsx";
import { useEditText } from "../settings-edit/use-edit-text.ts";
import { useSettingsEdit } from "../settings-edit/use-settings-edit.ts";
import { changedExtras, extrasOf, ServerExtras } from "./server-extras.tsx";
import { failedTestOf, remedyOf, TestSteps } from "./test-steps.tsx";
import { useServerText } from "./use-server-text.ts";
import { useStepTexts } from "./use-step-texts.ts";

const USUAL_PORT = "465";

interface ServerFormProps {
  onSaved?: () => void;
}

/** The project's SMTP server. It is tested first, and saved if the test succeeds. */
export function ServerForm(props: ServerFormProps) {
  const { id: projectId } = useProject();
  const stored = useQuery(projectVersionQuery(projectId));
  return (
    <Loaded query={stored} lines={8}>
      {(data) => <LoadedForm key={projectId} {...props} stored={data} />}
    </Loaded>
  );
}

/** The settings as form values: the port is text, and an empty password keeps the stored one. */
const fieldsOf = (project: Project, name: string) => ({
  smtp_host: project.smtp_host ?? "",
  smtp_port: String(project.smtp_port ?? USUAL_PORT),
  smtp_user: project.smtp_user ?? "",
  smtp_password: "",
  from_name: project.from_name ?? name,
  from_email: project.from_email ?? "",
  extras: extrasOf(project),
});

/** Returns the request body of a test and of a save. */
const bodyOf = (fields: ReturnType<typeof fieldsOf>) => {
  const { smtp_password, smtp_port, extras: _extras, ...rest } = fields;
  const password = smtp_password === "" ? {} : { smtp_password };
  return { ...rest, ...password, smtp_port: Number(smtp_port) };
};

function LoadedForm({ stored, onSaved }: ServerFormProps & { stored: Versioned<Project> }) {
  const text = useServerText();
  const editText = useEditText();
  const texts = useStepTexts();
  const { value: project } = stored;
  const { user } = useMe();
  const { id: projectId } = project;
  const mayNot = useMayNot("projects:write");
  const edit = useSettingsEdit(stored, {
    queryKey: projectVersionQuery(projectId).queryKey,
    fieldsOf: (one) => fieldsOf(one, one.name),
    put: async (fields, options, before) => {
      const body = { ...bodyOf(fields), ...changedExtras(before, fields.extras) };
      const saved = await api.projects.smtp.save({ projectId, body }, options);
      queryClient.setQueryData(projectQuery(projectId).queryKey, saved);
      return saved;
    },
  });
  const { fields: form, change } = edit;
  const save = useMutation({
    mutationFn: async () => {
      const tested = await api.projects.smtp.test({ projectId, body: bodyOf(form) });
      await edit.store();
      return tested;
    },
    onSuccess: () => onSaved?.(),
  });
  const problems = problemsOf(save.error);
  const failed = failedTestOf(save.error);
  const fieldOf = (name: Exclude<keyof typeof form, "extras">) => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
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
      <LeaveGuard isChanged={edit.isChanged && mayNot === undefined} words={editText} />
      <div className="grid items-start gap-4 sm:grid-cols-[1fr_10rem]">
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
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={text.user} autoComplete="off" required {...fieldOf("smtp_user")} />
        <TextField
          label={text.password}
          type="password"
          autoComplete="off"
          {...(project.smtp_host === null ? { required: true } : { hint: text.passwordKept })}
          {...fieldOf("smtp_password")}
        />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={text.fromName} {...fieldOf("from_name")} />
        <TextField label={text.fromEmail} type="email" required {...fieldOf("from_email")} />
      </div>
      <p className="text-sm text-muted">{text.fromHint}</p>
      <ServerExtras
        typed={form.extras}
        onChange={(extras) => change({ extras })}
        problems={problems}
      />
      <p className="text-sm text-muted">{text.testWords(user.email)}</p>
      <SettingsBehind edit={edit} onChoose={() => save.reset()} />
      <div>
        <Button
          type="submit"
          look="primary"
          isBusy={save.isPending}
          offBecause={mayNot ?? (edit.isBehind ? editText.chooseFirst : undefined)}
        >
          {save.isPending ? text.testing : text.testAndSave}
        </Button>
      </div>
      {save.data && (
        <Notice tone="good" role="status">
          {text.worked(save.data.to)}
        </Notice>
      )}
      {save.error && !failed && !edit.isBehind && <ErrorWords error={save.error} />}
      {save.error && failed && (
        <Notice tone="bad" role="alert">
          {text.refused}
        </Notice>
      )}
      {failed && <TestSteps steps={failed.steps} />}
      {failed?.alternative && (
        <Notice>
          <p>
            {text.alternative(String(failed.alternative.port))}{" "}
            {sayMessage(texts, remedyOf(failed.alternative))}
          </p>
          {failed.alternative.ok && (
            <Button
              className="mt-2"
              onClick={() => change({ smtp_port: String(failed.alternative?.port) })}
            >
              {text.usePort(String(failed.alternative.port))}
            </Button>
          )}
        </Notice>
      )}
    </form>
  );
}
