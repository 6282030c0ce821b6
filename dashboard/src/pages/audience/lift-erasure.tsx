import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { emptied } from "../../lib/emptied.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** Maximum length of the consent note (API reference §12.13). */
const MOST = 500;

/** Allows an erased address again, with its owner's new consent for the audit log. */
export function LiftErasure() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("suppressions:write");
  const [email, setEmail] = useState("");
  const [consent, setConsent] = useState("");
  const lift = useMutation({
    mutationFn: (body: { email: string; consent: string }) =>
      api.projects.erasures.lift({ projectId, body }),
    onSuccess: async (_, sent) => {
      showToast(text.lifted(sent.email));
      setEmail(emptied(sent.email));
      setConsent(emptied(sent.consent));
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "erasures"] });
    },
  });
  const problems = problemsOf(lift.error);
  return (
    <Form
      of={lift}
      onSubmit={() => lift.mutate({ email, consent })}
      action={text.lift}
      offBecause={mayNot}
      look="plain"
    >
      <TextField
        label={text.liftAddress}
        hint={text.liftWords}
        type="email"
        value={email}
        error={problems["email"]}
        onChange={({ target }) => setEmail(target.value)}
        required
      />
      <TextField
        label={text.liftConsent}
        hint={text.liftConsentHint}
        maxLength={MOST}
        value={consent}
        error={problems["consent"]}
        onChange={({ target }) => setConsent(target.value)}
        required
      />
    </Form>
  );
}
