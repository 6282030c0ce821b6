import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { PostriderError } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { uploadFile } from "../../api/upload-file.ts";
import { prepareImage } from "./prepare-image.ts";
import { refreshImages, type Image } from "./queries.ts";

const isImage = (answer: unknown): answer is Image =>
  typeof answer === "object" && answer !== null && "url" in answer && "id" in answer;

/** The upload of an image to the library, with its progress. Ends when its component goes. */
export function useUpload(onDone: (image: Image) => void) {
  const { id: projectId } = useProject();
  const [part, setPart] = useState(0);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => {
    const left = new AbortController();
    leaving.current = left;
    return () => left.abort();
  }, []);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const { signal } = leaving.current ?? new AbortController();
      setPart(0);
      const image = await uploadFile({
        path: `/projects/${projectId}/images?${new URLSearchParams({ name: file.name })}`,
        file: await prepareImage(file),
        type: "application/octet-stream",
        onProgress: setPart,
        signal,
      });
      if (isImage(image)) return image;
      throw new PostriderError("no answer", "network");
    },
    onSuccess: async (image) => {
      onDone(image);
      await refreshImages(projectId);
    },
  });
  return { upload, part };
}
