import { CircleCheck, CircleX } from "../../ui/icons.tsx";
import { PostriderError, type Client } from "../../api/client.ts";
import { translated } from "../../text/translated.ts";
import { germanRemedy, germanStep } from "./german-steps.ts";
import { useServerText } from "./use-server-text.ts";

export type Step = Awaited<ReturnType<Client["projects"]["smtp"]["test"]>>["steps"][number];

/** The steps of a test of mail settings, with what the server said and what to change. */
export function TestSteps({ steps }: { steps: readonly Step[] }) {
  const text = useServerText();
  return (
    <ol className="flex flex-col gap-2 text-sm">
      {steps.map(({ step, ok, ms, detail, remedy }) => (
        <li key={step} className="flex gap-2">
          {ok ? (
            <CircleCheck aria-label={text.stepDone} className="mt-0.5 size-4 shrink-0 text-good" />
          ) : (
            <CircleX aria-label={text.stepFailed} className="mt-0.5 size-4 shrink-0 text-bad" />
          )}
          <div className="min-w-0">
            <p>
              <span className="font-medium">{text.steps[step]}</span>{" "}
              <span className="text-muted">{Math.round(ms)} ms</span>
            </p>
            {detail !== undefined && (
              <p className="text-muted">
                {translated(detail, (said) => germanStep(step, ok, said))}
              </p>
            )}
            {remedy !== undefined && <p>{translated(remedy, germanRemedy)}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A failed test as the service answers it (API reference §9.3). */
export interface FailedTest {
  steps: Step[];
  alternative: { port: number; ok: boolean; remedy?: string } | undefined;
}

/** Reads the steps of a failed test from its refusal; undefined for another error. */
export function failedTestOf(error: Error | null): FailedTest | undefined {
  if (!(error instanceof PostriderError) || !Array.isArray(error.body["steps"])) return undefined;
  // the form of the answer is the service's own, as with every typed call
  const { steps, alternative } = error.body as unknown as FailedTest;
  return { steps, alternative };
}
