import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { DeleteImage, ImageFacts } from "../../parts/images/image-facts.tsx";
import { ImageLibrary } from "../../parts/images/image-library.tsx";
import { refreshImages, type Image } from "../../parts/images/queries.ts";
import { useImagesText } from "../../parts/images/use-images-text.ts";
import { CopyButton } from "../../ui/code-block.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { showToast } from "../../ui/toast.tsx";

/** The image library of a project. */
export function ImagesPage() {
  const text = useImagesText();
  const [open, setOpen] = useState<Image>();
  const close = () => setOpen(undefined);
  return (
    <Page title={text.images} lead={text.imagesLead}>
      <ImageLibrary onChoose={setOpen} />
      <Dialog isOpen={open !== undefined} onClose={close} title={open?.name ?? ""}>
        {open && <ImageForm key={open.id} image={open} onDone={close} />}
      </Dialog>
    </Page>
  );
}

/** An image with its name and description, to change or delete it. */
function ImageForm({ image, onDone }: { image: Image; onDone: () => void }) {
  const text = useImagesText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("templates:write");
  const [name, setName] = useState(image.name);
  const [alt, setAlt] = useState(image.alt);
  const saving = useMutation({
    mutationFn: () =>
      api.projects.images.update({ projectId, imageId: image.id, body: { name, alt } }),
    onSuccess: async () => {
      showToast(text.saved);
      onDone();
      await refreshImages(projectId);
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <ImageFacts image={image} />
      <Form
        of={saving}
        action={text.save}
        offBecause={mayNot}
        onSubmit={saving.mutate}
        more={
          <>
            <CopyButton text={image.url} label={text.copyUrl} />
            <DeleteImage image={image} onDeleted={onDone} />
          </>
        }
      >
        <TextField
          label={text.name}
          value={name}
          maxLength={200}
          required
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={text.alt}
          hint={text.altHint}
          value={alt}
          maxLength={500}
          onChange={({ target }) => setAlt(target.value)}
        />
      </Form>
    </div>
  );
}
