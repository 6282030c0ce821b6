import { asSentence } from "../../lib/as-sentence.ts";
import { CircleX } from "../../ui/action-icons.tsx";
import { CircleCheck } from "../../ui/icons.tsx";
import { PostriderError, type Client } from "../../api/client.ts";
import { sayMessage } from "../../text/messages.ts";
import { useServerText } from "./use-server-text.ts";
import { useStepTexts } from "./use-step-texts.ts";

export type Step = Awaited<ReturnType<Client["projects"]["smtp"]["test"]>>["steps"][number];

/** Steps of a mail settings test, with the server's responses and remedies. */
export function TestSteps({ steps }: { steps: readonly Step[] }) {
  const text = useServerText();
  const texts = useStepTexts();
  return (
    <ol className="flex flex-col gap-2 text-sm">
      {steps.map(({ step, ok, ms, detail, code, params, ...rest }) => (
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
                {asSentence(sayMessage(texts, { code: code ?? "", params, message: detail }))}
              </p>
            )}
            {rest.remedy !== undefined && <p>{sayMessage(texts, remedyOf(rest))}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Returns the remedy of a step or of an attempt at another port. */
export const remedyOf = ({
  remedy: message = "",
  remedy_code: code,
  remedy_params: params,
}: Pick<Step, "remedy" | "remedy_code" | "remedy_params">) => ({
  code: code ?? "",
  params,
  message,
});

/** A failed test, as in the response (API reference §9.3). */
export interface FailedTest {
  steps: Step[];
  alternative:
    | ({ port: number; ok: boolean } & Pick<Step, "remedy" | "remedy_code" | "remedy_params">)
    | undefined;
}

/** Reads the steps of a failed test from its error response; undefined for another error. */
export function failedTestOf(error: Error | null): FailedTest | undefined {
  if (!(error instanceof PostriderError) || !Array.isArray(error.body["steps"])) return undefined;
  // the service guarantees the shape, as for every typed call
  const { steps, alternative } = error.body as unknown as FailedTest;
  return { steps, alternative };
}
