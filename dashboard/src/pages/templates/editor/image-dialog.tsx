import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { DeleteImage, ImageFacts } from "../../../parts/images/image-facts.tsx";
import { ImageLibrary } from "../../../parts/images/image-library.tsx";
import { refreshImages, type Image } from "../../../parts/images/queries.ts";
import { useImagesText } from "../../../parts/images/use-images-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { safeImageUrl } from "../blocks/variables.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import type { ChosenImage } from "./image-html.ts";

const halfOf = (pixels: number) => Math.max(1, Math.round(pixels / 2));

interface ImageDialogProps {
  /** A file that was dropped or pasted, which is uploaded at once. */
  file?: File | undefined;
  onInsert: (image: ChosenImage) => void;
  onClose: () => void;
}

/** Offers the image library, the upload of an image and an address, and asks for a description. */
export default function ImageDialog({ file, onInsert, onClose }: ImageDialogProps) {
  const text = useTemplatesText();
  const images = useImagesText();
  const [first, setFirst] = useState(file);
  const [chosen, setChosen] = useState<Image>();
  const insert = (image: ChosenImage) => {
    onInsert(image);
    onClose();
  };
  const goBack = () => {
    setFirst(undefined);
    setChosen(undefined);
  };
  return (
    <Dialog isOpen onClose={onClose} title={text.insertImage} isWide={chosen === undefined}>
      {chosen ? (
        <InsertForm key={chosen.id} image={chosen} onInsert={insert} onBack={goBack} />
      ) : (
        <div className="flex flex-col gap-4">
          <ImageLibrary file={first} onChoose={setChosen} />
          <details className="rounded-lg border border-line p-3">
            <summary className="cursor-pointer font-medium">{images.byUrl}</summary>
            <UrlForm onInsert={insert} />
          </details>
        </div>
      )}
    </Dialog>
  );
}

interface InsertFormProps {
  image: Image;
  onInsert: (image: ChosenImage) => void;
  onBack: () => void;
}

/** Asks for the description of an image, keeps it for the next time, and inserts the image. */
function InsertForm({ image, onInsert, onBack }: InsertFormProps) {
  const text = useImagesText();
  const { id: projectId } = useProject();
  const [alt, setAlt] = useState(image.alt);
  const inserting = useMutation({
    mutationFn: async () => {
      if (alt === image.alt) return;
      await api.projects.images.update({ projectId, imageId: image.id, body: { alt } });
      await refreshImages(projectId);
    },
    onSuccess: () =>
      onInsert({
        src: image.url,
        alt,
        size: { width: halfOf(image.width), height: halfOf(image.height) },
      }),
  });
  return (
    <div className="flex flex-col gap-4">
      <ImageFacts image={image} />
      <Form
        of={inserting}
        action={text.insert}
        onSubmit={inserting.mutate}
        more={
          <>
            <Button onClick={onBack}>{text.otherImage}</Button>
            <DeleteImage image={image} onDeleted={onBack} />
          </>
        }
      >
        <TextField
          label={text.alt}
          hint={text.altHint}
          value={alt}
          maxLength={500}
          autoFocus
          onChange={({ target }) => setAlt(target.value)}
        />
      </Form>
    </div>
  );
}

/** Inserts an image of another server. */
function UrlForm({ onInsert }: Pick<InsertFormProps, "onInsert">) {
  const text = useTemplatesText();
  const [src, setSrc] = useState("");
  const [alt, setAlt] = useState("");
  const safe = safeImageUrl(src);
  return (
    <form
      className="mt-3 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (safe !== undefined) onInsert({ src: safe, alt });
      }}
    >
      <TextField
        label={text.imageUrl}
        hint={text.imageUrlHint}
        value={src}
        onChange={(event) => setSrc(event.target.value)}
        error={src !== "" && safe === undefined ? text.badImageUrl : undefined}
        required
      />
      <TextField
        label={text.imageAlt}
        hint={text.imageAltHint}
        value={alt}
        onChange={(event) => setAlt(event.target.value)}
      />
      <Button type="submit" className="self-start">
        {text.insert}
      </Button>
    </form>
  );
}
