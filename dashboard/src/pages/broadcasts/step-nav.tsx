import { useEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { STEPS, type Step } from "./steps.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

interface StepNavProps {
  current: Step;
  isBusy?: boolean;
  onGo: (step: Step) => void;
}

/** The steps to a sent broadcast. The focus follows the step, so that Tab leads to its fields. */
export function StepNav({ current, isBusy = false, onGo }: StepNavProps) {
  const text = useBroadcastsText();
  const list = useRef<HTMLOListElement>(null);
  const shown = useRef(current);
  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    list.current?.querySelector<HTMLElement>("[aria-current]")?.focus();
  }, [current]);
  return (
    <nav aria-label={text.steps}>
      <ol ref={list} className="inline-flex flex-wrap gap-0.5 rounded-lg bg-sunken p-0.5">
        {STEPS.map((step, at) => (
          <li key={step}>
            <Button
              look={step === current ? "plain" : "quiet"}
              aria-current={step === current ? "step" : undefined}
              isBusy={isBusy}
              onClick={() => onGo(step)}
            >
              {at + 1}. {text.stepNames[step]}
            </Button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
