import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { EraseDialog } from "./erase-dialog.tsx";
import { useExportPerson } from "./export-person.ts";
import { useAudienceText } from "./use-audience-text.ts";

interface AddressActionsProps {
  email: string;
  /** Why the buttons are disabled. */
  offBecause?: string | undefined;
  onErased?: () => Promise<void> | void;
}

/** Exports or erases all data that the project holds about an address. */
export function AddressActions({ email, offBecause, onErased }: AddressActionsProps) {
  const text = useAudienceText();
  const mayNot = useMayNot("subscribers:write") ?? offBecause;
  const [isErasing, setErasing] = useState(false);
  const download = useExportPerson(email);
  return (
    <>
      {download.error && <ErrorWords error={download.error} />}
      <div className="flex flex-wrap gap-2">
        <Button isBusy={download.isPending} offBecause={mayNot} onClick={() => download.mutate()}>
          {text.exportPerson}
        </Button>
        <Button look="danger" offBecause={mayNot} onClick={() => setErasing(true)}>
          {text.erase}
        </Button>
      </div>
      <EraseDialog
        email={email}
        isOpen={isErasing}
        onClose={() => setErasing(false)}
        onErased={() => onErased?.()}
      />
    </>
  );
}
