import { useNavigate } from "@tanstack/react-router";
import { useProject } from "../../api/projects.ts";
import { KeyButton } from "../../ui/key-button.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** The button that begins a new broadcast. */
export function NewBroadcast() {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const mayNot = useMayNot("send:broadcast");
  return (
    <KeyButton
      keys="n"
      label={text.newBroadcast}
      look="primary"
      offBecause={mayNot}
      onClick={() => void navigate({ to: "/p/$projectId/broadcasts/new", params: { projectId } })}
    />
  );
}
