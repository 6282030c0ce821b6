import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { queryClient } from "../../../api/query-client.ts";
import { formatNumber, formatPercent } from "../../../lib/format.ts";
import { useSharedText } from "../../../text/shared/use-shared-text.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { showFailure } from "../../../ui/show-failure.ts";
import { showToast } from "../../../ui/toast.tsx";
import { NamedList } from "../named-list.tsx";
import { FormEditor } from "./form-editor.tsx";
import { formQuery, formsQuery, type SignupForm } from "./form-queries.ts";
import { ShareForm } from "./share-form.tsx";
import { useFormsText } from "./use-forms-text.ts";

/** Sign-up forms, with what they bring and how to share them. */
export function FormsPage() {
  const text = useFormsText();
  const { id: projectId } = useProject();
  const query = formsQuery(projectId);
  const mayNot = useMayNot("subscribers:write");
  const [sharing, setSharing] = useState<SignupForm>();
  const toggle = useToggle();
  const listed = useQuery({ ...query, select: ({ forms }) => forms });
  const counts = new Map(listed.data?.map(({ id, signups, active }) => [id, { signups, active }]));
  return (
    <>
      <NamedList<SignupForm>
        title={text.title}
        lead={text.lead}
        query={listed}
        queryKey={query.queryKey}
        columns={[
          {
            key: "state",
            head: text.state,
            cell: ({ is_open }) => (
              <Badge tone={is_open ? "good" : "neutral"}>{is_open ? text.open : text.closed}</Badge>
            ),
          },
          {
            key: "signups",
            head: text.signups,
            isNumber: true,
            isMinor: true,
            cell: ({ id }) => formatNumber(counts.get(id)?.signups ?? 0),
          },
          {
            key: "active",
            head: text.active,
            isNumber: true,
            isMinor: true,
            cell: ({ id }) => {
              const { signups = 0, active = 0 } = counts.get(id) ?? {};
              return signups === 0 ? "–" : formatPercent((100 * active) / signups);
            },
          },
        ]}
        acts={(form) => (
          <>
            <Button
              look="quiet"
              aria-label={`${text.share}: ${form.name}`}
              onClick={() => setSharing(form)}
            >
              {text.share}
            </Button>
            <Button
              look="quiet"
              offBecause={mayNot}
              aria-label={`${form.is_open ? text.close : text.reopen}: ${form.name}`}
              onClick={() => toggle.mutate({ form, isOpen: !form.is_open })}
            >
              {form.is_open ? text.close : text.reopen}
            </Button>
          </>
        )}
        words={{
          create: text.create,
          none: text.none,
          noneWords: text.noneWords,
          removal: text.removal,
        }}
        remove={({ id: formId }, signal) =>
          api.projects.forms.delete({ projectId, formId }, { signal })
        }
        one={(id) => formQuery(projectId, id)}
        isWide
        form={(stored, onDone) => <FormEditor stored={stored} onDone={onDone} />}
      />
      <Dialog
        isOpen={sharing !== undefined}
        onClose={() => setSharing(undefined)}
        title={text.shareTitle(sharing?.name ?? "")}
        isWide
      >
        {sharing && <ShareForm form={sharing} />}
      </Dialog>
    </>
  );
}

/** Opens or closes a form, with an undo. */
function useToggle() {
  const text = useFormsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const toggle = useMutation({
    mutationFn: ({ form: { id: formId }, isOpen }: { form: SignupForm; isOpen: boolean }) =>
      api.projects.forms.update({ projectId, formId, body: { is_open: isOpen } }),
    onSuccess: async (_, { form, isOpen }) => {
      const words = isOpen ? text.isOpen(form.name) : text.isClosed(form.name);
      showToast(words, () => toggle.mutate({ form, isOpen: !isOpen }));
      await queryClient.invalidateQueries({ queryKey: formsQuery(projectId).queryKey });
    },
    onError: (error) => showFailure(error, shared),
  });
  return toggle;
}
