import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { ValueRows } from "../../parts/values/value-rows.tsx";
import { nested, valuesOf, type Variable } from "../../parts/values/values.ts";
import { CheckField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { MailTimeline } from "./mail-timeline.ts";
import { useLogText } from "./use-log-text.ts";

/** Resends a mail that was not delivered. */
export function ResendForm({ mail: { id, project_id: projectId } }: { mail: MailTimeline }) {
  const text = useLogText();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [variables, setVariables] = useState<Variable[]>([]);
  const [mayArriveTwice, setMayArriveTwice] = useState(false);
  const resend = useMutation({
    mutationFn: () =>
      api.projects.logs.resend({
        projectId,
        logId: id,
        body: { data: nested(valuesOf(variables, {})), may_arrive_twice: mayArriveTwice },
      }),
    onSuccess: async ({ id: logId }) => {
      showToast(text.resent);
      void queryClient.invalidateQueries({ queryKey: ["project", projectId] });
      if (isHere())
        await navigate({ to: "/p/$projectId/log/$logId", params: { projectId, logId } });
    },
  });
  return (
    <Form of={resend} onSubmit={() => resend.mutate()} action={text.resend} isWide>
      <p>{text.resendWords}</p>
      <ValueRows title={text.resendData} variables={variables} onChange={setVariables} />
      <CheckField
        label={text.mayArriveTwice}
        hint={text.mayArriveTwiceHint}
        checked={mayArriveTwice}
        onChange={({ target }) => setMayArriveTwice(target.checked)}
      />
    </Form>
  );
}
