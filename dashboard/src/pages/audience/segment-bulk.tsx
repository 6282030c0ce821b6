import { useState } from "react";
import type { Segment } from "../../api/audience.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { BulkTags } from "./bulk-tags.tsx";
import { BulkTopics } from "./bulk-topics.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useBulkChange } from "./use-bulk-change.ts";

const PARTS = { tags: BulkTags, topics: BulkTopics };

/** Changes the tags or the topics of all subscribers of a segment. */
export function SegmentBulk({ segment: { name, where } }: { segment: Segment }) {
  const text = useAudienceText();
  const mayNot = useMayNot("subscribers:write");
  const [open, setOpen] = useState<keyof typeof PARTS>();
  const change = useBulkChange(() => setOpen(undefined));
  return (["tags", "topics"] as const).map((part) => {
    const Part = PARTS[part];
    return (
      <span key={part}>
        <Button
          look="quiet"
          offBecause={mayNot}
          aria-label={`${text[part]}: ${name}`}
          onClick={() => setOpen(part)}
        >
          {text[part]}
        </Button>
        <Dialog isOpen={open === part} onClose={() => setOpen(undefined)} title={text[part]}>
          <Part
            people={text.peopleOf(name)}
            isBusy={change.isPending}
            error={change.error}
            onChange={(what) => change.mutate({ what, who: { filter: { where } } })}
          />
        </Dialog>
      </span>
    );
  });
}
