import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { escapeText, safeImageUrl } from "../blocks/variables.ts";
import { useTemplatesText } from "../use-templates-text.ts";

interface ImageDialogProps {
  onInsert: (html: string) => void;
  onClose: () => void;
}

/** Asks for the URL of an image, and inserts its HTML. */
export function ImageDialog({ onInsert, onClose }: ImageDialogProps) {
  const text = useTemplatesText();
  const [src, setSrc] = useState("");
  const [alt, setAlt] = useState("");
  const safe = safeImageUrl(src);
  return (
    <Dialog isOpen onClose={onClose} title={text.insertImage}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (safe === undefined) return;
          onInsert(
            `<img src="${escapeText(safe)}" alt="${escapeText(alt)}" style="max-width:100%;height:auto;border:0">`,
          );
          onClose();
        }}
      >
        <TextField
          label={text.imageUrl}
          hint={text.imageUrlHint}
          value={src}
          onChange={(event) => setSrc(event.target.value)}
          error={src !== "" && safe === undefined ? text.badImageUrl : undefined}
          required
          autoFocus
        />
        <TextField
          label={text.imageAlt}
          hint={text.imageAltHint}
          value={alt}
          onChange={(event) => setAlt(event.target.value)}
        />
        <Button type="submit" look="primary">
          {text.insert}
        </Button>
      </form>
    </Dialog>
  );
}
