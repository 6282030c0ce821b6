import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/code-block.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSettingsText } from "./use-settings-text.ts";

/** The name of a project, its id, and its end. */
export function GeneralPage() {
  const text = useSettingsText();
  const project = useProject();
  return (
    <SettingsFrame title={text.general}>
      <RoleNotice capability="projects:write" />
      <Names key={project.id} />
      <Card title={text.id}>
        <p className="flex flex-wrap items-center gap-3">
          <code className="break-all">{project.id}</code>
          <CopyButton text={project.id} />
        </p>
      </Card>
      <Removal />
    </SettingsFrame>
  );
}

function Names() {
  const text = useSettingsText();
  const shared = useSharedText();
  const project = useProject();
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description);
  const mayNot = useMayNot("projects:write");
  const save = useMutation({
    mutationFn: () => api.projects.update({ projectId: project.id, body: { name, description } }),
    onSuccess: async () => {
      showToast(text.saved);
      await queryClient.invalidateQueries({ queryKey: ["project", project.id] });
      await queryClient.invalidateQueries({ queryKey: ["workspace", project.workspace_id] });
    },
  });
  const problems = problemsOf(save.error);
  return (
    <Card title={text.names}>
      <Form of={save} onSubmit={() => save.mutate()} action={shared.save} offBecause={mayNot}>
        <TextField
          label={text.name}
          value={name}
          error={problems["name"]}
          onChange={({ target }) => setName(target.value)}
          required
        />
        <TextField
          label={text.description}
          isOptional
          value={description}
          error={problems["description"]}
          onChange={({ target }) => setDescription(target.value)}
        />
      </Form>
    </Card>
  );
}

function Removal() {
  const text = useSettingsText();
  const project = useProject();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const mayNot = useMayNot("projects:delete");
  const remove = useMutation({
    mutationFn: () => api.projects.delete({ projectId: project.id }),
    onSuccess: async () => {
      showToast(text.projectRemoved(project.name));
      await navigate({ to: "/w/$workspaceId", params: { workspaceId: project.workspace_id } });
      queryClient.removeQueries({ queryKey: ["project", project.id] });
      await queryClient.invalidateQueries({ queryKey: ["workspace", project.workspace_id] });
    },
  });
  return (
    <Card title={text.removal}>
      <p className="mb-3">{text.removalWords}</p>
      <Button look="danger" offBecause={mayNot} onClick={() => setAsking(true)}>
        {text.removeProject}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
        title={text.removalTitle(project.name)}
        action={text.removeProject}
        name={project.name}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {text.removalWords}
      </ConfirmDialog>
    </Card>
  );
}
