import { useNavigate } from "@tanstack/react-router";
import type { Step } from "./steps.ts";

/** Returns a function that opens a step of a draft. What was typed is saved, or still there. */
export function useGoToStep(projectId: string) {
  const navigate = useNavigate();
  return (broadcastId: string, step: Step): void => {
    const params = { projectId, broadcastId };
    if (step === "check")
      void navigate({
        to: "/p/$projectId/broadcasts/$broadcastId/preflight",
        params,
        ignoreBlocker: true,
      });
    else
      void navigate({
        to: "/p/$projectId/broadcasts/$broadcastId",
        params,
        search: { step },
        ignoreBlocker: true,
      });
  };
}
