import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { projectVersionQuery, useProject, type Project } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import type { Versioned } from "../../api/versioned.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/code-block.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSettingsText } from "./use-settings-text.ts";

/** Name, id and deletion of a project. */
export function GeneralPage() {
  const text = useSettingsText();
  const project = useProject();
  const stored = useQuery(projectVersionQuery(project.id));
  return (
    <SettingsFrame title={text.general}>
      <RoleNotice capability="projects:write" />
      <Loaded query={stored}>{(data) => <Names key={project.id} stored={data} />}</Loaded>
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

function Names({ stored }: { stored: Versioned<Project> }) {
  const text = useSettingsText();
  const { id: projectId, workspace_id } = useProject();
  const mayNot = useMayNot("projects:write");
  const edit = useSettingsEdit(stored, {
    queryKey: projectVersionQuery(projectId).queryKey,
    fieldsOf: ({ name, description }) => ({ name, description }),
    put: (body, options) => api.projects.update({ projectId, body }, options),
  });
  const save = useMutation({
    mutationFn: edit.store,
    onSuccess: async () => {
      showToast(text.saved, undefined, { isOfPage: true });
      await queryClient.invalidateQueries({ queryKey: ["project", projectId] });
      await queryClient.invalidateQueries({ queryKey: ["workspace", workspace_id] });
    },
  });
  const problems = problemsOf(save.error);
  return (
    <Card title={text.names}>
      <SettingsForm edit={edit} save={save} offBecause={mayNot}>
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={edit.fields.name}
          error={problems["name"]}
          onChange={({ target }) => edit.change({ name: target.value })}
          required
        />
        <TextField
          label={text.description}
          isOptional
          value={edit.fields.description}
          error={problems["description"]}
          onChange={({ target }) => edit.change({ description: target.value })}
        />
      </SettingsForm>
    </Card>
  );
}

function Removal() {
  const text = useSettingsText();
  const project = useProject();
  const navigate = useNavigate();
  const isHere = useIsHere(`/p/${project.id}`);
  const [isAsking, setAsking] = useState(false);
  const mayNot = useMayNot("projects:delete");
  const remove = useMutation({
    mutationFn: (signal: AbortSignal) => api.projects.delete({ projectId: project.id }, { signal }),
    onSuccess: async () => {
      showToast(text.projectRemoved(project.name));
      if (isHere())
        await navigate({
          to: "/w/$workspaceId",
          params: { workspaceId: project.workspace_id },
          ignoreBlocker: true,
        });
      queryClient.removeQueries({ queryKey: ["project", project.id] });
      await queryClient.invalidateQueries({ queryKey: ["workspace", project.workspace_id] });
    },
  });
  return (
    <Card title={text.removal} hint={text.removalWords}>
      <Button look="danger" offBecause={mayNot} onClick={() => setAsking(true)}>
        {text.removeProject}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={remove.mutate}
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
