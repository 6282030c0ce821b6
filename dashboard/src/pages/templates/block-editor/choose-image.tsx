import { lazy, Suspense, useState } from "react";
import { useImagesText } from "../../../parts/images/use-images-text.ts";
import { Button } from "../../../ui/button.tsx";
import type { ChosenImage } from "../editor/image-html.ts";

const ImageDialog = lazy(() => import("../editor/image-dialog.tsx"));

/** A button that opens the image library. */
export function ChooseImage({ onChoose }: { onChoose: (image: ChosenImage) => void }) {
  const text = useImagesText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className="self-start" onClick={() => setOpen(true)}>
        {text.chooseImage}
      </Button>
      {isOpen && (
        <Suspense>
          <ImageDialog onInsert={onChoose} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
