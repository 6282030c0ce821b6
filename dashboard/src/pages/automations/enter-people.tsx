import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { ConditionBuilder } from "../../parts/segments/condition-builder.tsx";
import { useSegmentsText } from "../../parts/segments/use-segments-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

interface EnterPeopleProps {
  automationId: string;
  mayNot: string | undefined;
}

/** Lets everyone who matches rules into a running automation that people enter by hand. */
export function EnterPeople({ automationId, mayNot }: EnterPeopleProps) {
  const text = useAutomationsText();
  useSegmentsText(); // loaded with the page: a later load would hide it for a moment
  const { id: projectId } = useProject();
  const [isOpen, setOpen] = useState(false);
  const [where, setWhere] = useState("");
  const enter = useMutation({
    mutationFn: async () => {
      let all = 0;
      for (let more = true; more;) {
        const body = { where };
        const answer = await api.projects.automations.enter({ projectId, automationId, body });
        all += answer.entered;
        more = answer.more && answer.entered > 0;
      }
      return all;
    },
    onSuccess: (all) => {
      setOpen(false);
      showToast(text.entered(all));
    },
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: ["project", projectId, "automations"] }),
  });
  return (
    <>
      <Button offBecause={mayNot} onClick={() => setOpen(true)}>
        {text.enter}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={text.enter} isWide>
        <Form
          of={enter}
          onSubmit={() => enter.mutate()}
          action={text.enter}
          offBecause={where === "" ? text.ruleFirst : undefined}
          layout="flex flex-col gap-4"
        >
          <p>{text.enterWords}</p>
          <ConditionBuilder projectId={projectId} value={where} onChange={setWhere} isCounted />
        </Form>
      </Dialog>
    </>
  );
}
