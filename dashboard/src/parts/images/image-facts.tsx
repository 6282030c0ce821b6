import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { formatBytes } from "../../lib/format.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { imageQuery, refreshImages, shownAt, type Image } from "./queries.ts";
import { useImagesText } from "./use-images-text.ts";

/** The picture itself, its size, and the emails that show it. */
export function ImageFacts({ image }: { image: Image }) {
  const text = useImagesText();
  const { id: projectId } = useProject();
  const query = useQuery(imageQuery(projectId, image.id));
  return (
    <>
      <img
        src={shownAt(image)}
        alt={image.alt}
        className="max-h-64 w-full rounded-md bg-sunken object-contain"
      />
      <p className="text-sm text-muted">
        {image.width} × {image.height}, {image.type.toUpperCase()}, {formatBytes(image.bytes)}
      </p>
      <Loaded query={query} lines={1}>
        {({ used_in: uses }) => (
          <div className="text-sm">
            <h3 className="font-medium">{uses.length === 0 ? text.unused : text.usedIn}</h3>
            <ul className="list-disc pl-5">
              {uses.map(({ kind, id, name }) => (
                <li key={id}>
                  {text.kinds[kind]}{" "}
                  {kind === "template" ? (
                    <TextLink
                      to="/p/$projectId/templates/$templateId"
                      params={{ projectId, templateId: id }}
                    >
                      {name}
                    </TextLink>
                  ) : (
                    <TextLink
                      to="/p/$projectId/broadcasts/$broadcastId"
                      params={{ projectId, broadcastId: id }}
                    >
                      {name}
                    </TextLink>
                  )}
                </li>
              ))}
            </ul>
          </div>
        )}
      </Loaded>
    </>
  );
}

interface DeleteImageProps {
  image: Image;
  onDeleted: () => void;
}

/** Deletes an image after a question. */
export function DeleteImage({ image: { id: imageId, name }, onDeleted }: DeleteImageProps) {
  const text = useImagesText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("templates:write");
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: (signal: AbortSignal) =>
      api.projects.images.delete({ projectId, imageId }, { signal }),
    onSuccess: async () => {
      showToast(text.deleted(name));
      onDeleted();
      await refreshImages(projectId);
    },
  });
  return (
    <>
      <Button look="danger" offBecause={mayNot} onClick={() => setAsked(true)}>
        {text.deleteImage}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={remove.mutate}
        title={text.deleteNamed(name)}
        action={text.deleteImage}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {text.deleteWords}
      </ConfirmDialog>
    </>
  );
}
