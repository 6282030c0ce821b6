import { useState } from "react";
import { useProject } from "../../api/projects.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { MailFrame } from "../templates/preview/mail-frame.tsx";
import type { usePreview } from "../templates/preview/use-preview.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const VIEWS = ["desktop", "phone"] as const;

interface MailPictureProps {
  state: ReturnType<typeof usePreview>;
  /** Sender name of the broadcast; empty for that of the project. */
  fromName: string;
  previewText: string;
}

/** A mail as an inbox shows it: sender, subject and preview text, and the opened mail below. */
export function MailPicture({ state, fromName, previewText }: MailPictureProps) {
  const text = useBroadcastsText();
  const project = useProject();
  const [view, setView] = useState<(typeof VIEWS)[number]>("desktop");
  const { preview, html, sampleFields, error, retry, isOld } = state;
  return (
    <section aria-label={text.preview} className="flex min-w-0 flex-col gap-3">
      <div role="group" aria-label={text.preview} className="flex gap-2">
        {VIEWS.map((one) => (
          <Button
            key={one}
            aria-pressed={view === one}
            look={view === one ? "primary" : "plain"}
            onClick={() => setView(one)}
          >
            {text.views[one]}
          </Button>
        ))}
      </div>
      {error && <ErrorWords error={error} onRetry={retry} />}
      <div className="overflow-hidden rounded-lg border border-line" aria-busy={isOld}>
        <div className="border-b border-line px-3 py-2 text-sm wrap-break-word">
          <p className="font-semibold">{fromName || project.from_name || project.name}</p>
          <p className="font-medium">{preview?.subject || text.noSubject}</p>
          {previewText !== "" && <p className="text-muted">{previewText}</p>}
        </div>
        <div className="flex justify-center bg-sunken">
          <MailFrame
            projectId={project.id}
            title={text.mailPreview}
            fields={{ html_body: html, ...sampleFields }}
            className={view === "phone" ? "h-[32rem] w-[375px] max-w-full" : "h-[32rem] w-full"}
          />
        </div>
      </div>
    </section>
  );
}
