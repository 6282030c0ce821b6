import type { ReactNode } from "react";
import { Segments } from "../../../ui/segments.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { Preview } from "../queries.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { MailFrame } from "./mail-frame.tsx";
import type { usePreview } from "./use-preview.ts";

const VIEWS = ["html", "phone", "text"] as const;
export type View = (typeof VIEWS)[number];

/** The width of a mail with its margins, and that of a phone. */
const WIDTHS = { html: 640, phone: 375 } as const;

/** Fields with a mail beside them, at its own width where the window is wide enough. */
export const BESIDE_MAIL =
  "grid min-w-0 gap-6 xl:grid-cols-[minmax(0,4fr)_minmax(0,5fr)] 2xl:grid-cols-[minmax(0,1fr)_40.125rem]";

interface ViewButtonsProps {
  view: View;
  onChoose: (view: View) => void;
  /** More buttons, at the end of the line. */
  children?: ReactNode;
}

/** Chooses how a mail is shown: on a computer, on a phone, or as plain text. */
export function ViewButtons({ view, onChoose, children }: ViewButtonsProps) {
  const text = useTemplatesText();
  return (
    <div className="flex flex-wrap gap-2">
      <Segments
        label={text.preview}
        choices={VIEWS.map((one) => [one, text.views[one]] as const)}
        chosen={view}
        onChoose={onChoose}
      />
      <span className="flex-1" />
      {children}
    </div>
  );
}

/** The mail of a block editor, and what a click on one of its blocks does. */
export interface Clicks {
  /** The HTML with marked blocks. */
  html: string;
  /** `shown` is the HTML that was clicked. */
  onBlock: (id: string, shown: string) => void;
}

/** The longest start of a mail that an inbox shows, in characters. */
const START = 140;

/** The subject of a mail and, as an inbox shows beside it, its preview text or else its start. */
export function InboxLine({ preview }: { preview: Preview | undefined }) {
  const text = useTemplatesText();
  const start = preview?.text_body?.slice(0, START) ?? "";
  if (!preview) return <span className="my-1 block h-3 w-3/5 animate-pulse rounded bg-sunken" />;
  return (
    <p className="line-clamp-2">
      <span className="font-medium">{preview.subject || text.noSubject}</span>
      <span className="text-muted"> {preview.preheader || start}</span>
    </p>
  );
}

interface MailViewProps {
  projectId: string;
  state: ReturnType<typeof usePreview>;
  view: View;
  isDark?: boolean;
  clicks?: Clicks | undefined;
}

/** A rendered mail in one of its views. */
export function MailView({ projectId, state, view, isDark = false, clicks }: MailViewProps) {
  const text = useTemplatesText();
  const { preview, html, sampleFields, isReady } = state;
  if (view === "text")
    return (
      <pre
        tabIndex={0}
        aria-label={text.views.text}
        className="h-[40rem] overflow-auto p-3 text-sm whitespace-pre-wrap"
      >
        {preview ? (preview.text_body ?? text.partFails) : <Skeleton />}
      </pre>
    );
  if (!isReady) return <div className="h-[40rem] animate-pulse bg-sunken" />;
  return (
    <div className="flex justify-center bg-sunken">
      <MailFrame
        projectId={projectId}
        title={text.previewFrame}
        fields={{ html_body: clicks?.html ?? html, ...sampleFields }}
        isDark={isDark}
        width={WIDTHS[view]}
        onBlock={clicks?.onBlock}
        className="h-[40rem] w-full"
      />
    </div>
  );
}
