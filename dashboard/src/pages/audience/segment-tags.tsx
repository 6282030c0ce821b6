import { useState } from "react";
import type { Segment } from "../../api/audience.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { BulkTags } from "./bulk-tags.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useBulkChange } from "./use-bulk-change.ts";

/** Adds tags to all subscribers of a segment, or removes them. */
export function SegmentTags({ segment: { name, where } }: { segment: Segment }) {
  const text = useAudienceText();
  const mayNot = useMayNot("subscribers:write");
  const [isOpen, setOpen] = useState(false);
  const change = useBulkChange(() => setOpen(false));
  return (
    <>
      <Button
        look="quiet"
        offBecause={mayNot}
        aria-label={`${text.tags}: ${name}`}
        onClick={() => setOpen(true)}
      >
        {text.tags}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={text.tags}>
        <BulkTags
          people={text.peopleOf(name)}
          isBusy={change.isPending}
          error={change.error}
          onChange={(what) => change.mutate({ what, who: { filter: { where } } })}
        />
      </Dialog>
    </>
  );
}
