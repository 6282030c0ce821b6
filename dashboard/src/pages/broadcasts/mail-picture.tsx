import { useState } from "react";
import { useProject } from "../../api/projects.ts";
import { ErrorWords } from "../../ui/error-words.tsx";
import {
  InboxLine,
  MailView,
  ViewButtons,
  type Clicks,
  type View,
} from "../templates/preview/mail-view.tsx";
import type { usePreview } from "../templates/preview/use-preview.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

interface MailPictureProps {
  state: ReturnType<typeof usePreview>;
  /** Sender name of the broadcast; empty for that of the project. */
  fromName: string;
  clicks?: Clicks | undefined;
}

/** A mail as an inbox shows it: sender, subject and preview text, and the opened mail below. */
export function MailPicture({ state, fromName, clicks }: MailPictureProps) {
  const text = useBroadcastsText();
  const project = useProject();
  const [view, setView] = useState<View>("html");
  const { preview, error, retry, isOld } = state;
  return (
    <section
      aria-label={text.preview}
      className="flex min-w-0 flex-col gap-3 xl:sticky xl:top-4 xl:self-start"
    >
      <ViewButtons view={view} onChoose={setView} />
      {error && <ErrorWords error={error} onRetry={retry} />}
      <div className="overflow-hidden rounded-lg border border-line" aria-busy={isOld}>
        <div className="border-b border-line bg-surface px-3 py-2 text-sm wrap-break-word">
          <p className="font-semibold">{fromName || project.from_name || project.name}</p>
          <InboxLine preview={preview} />
        </div>
        <MailView projectId={project.id} state={state} view={view} clicks={clicks} />
      </div>
    </section>
  );
}
