import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useId, useState } from "react";
import { useProject } from "../../api/projects.ts";
import { formatPercent } from "../../lib/format.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { EmptiedPage, EmptyState } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { LayoutTemplate } from "../../ui/icons.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Pager } from "../../ui/table.tsx";
import { takingImages } from "./image-files.ts";
import { imagesQuery, shownAt, type Image } from "./queries.ts";
import { useImagesText } from "./use-images-text.ts";
import { useUpload } from "./use-upload.ts";

interface ImageLibraryProps {
  /** Called with an image that was clicked, or uploaded. */
  onChoose: (image: Image) => void;
  /** A file that is uploaded at once. */
  file?: File | undefined;
}

/** The images of the project, by name and page by page, and the upload of another. */
export function ImageLibrary({ onChoose, file }: ImageLibraryProps) {
  const text = useImagesText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("templates:write");
  const id = useId();
  const [search, setSearch] = useState("");
  const [after, setAfter] = useState<string>();
  const settled = useSettled(search.trim());
  const images = useQuery({
    ...imagesQuery(projectId, settled, after),
    placeholderData: keepPreviousData,
  });
  const { upload, part } = useUpload(onChoose);
  const take = (one: File) => {
    if (mayNot === undefined && !upload.isPending) upload.mutate(one);
  };
  const takeFirst = useEffectEvent(() => {
    if (file) upload.mutate(file);
  });
  useEffect(() => takeFirst(), []);
  return (
    <div className="flex flex-col gap-4" {...takingImages(take)}>
      <div className="flex flex-col gap-1 rounded-lg border border-dashed border-edge p-4">
        <label htmlFor={id} className="text-sm font-medium">
          {text.upload}
        </label>
        <p className="text-sm text-muted">{mayNot ?? text.uploadHint}</p>
        <FileInput
          id={id}
          accept="image/png,image/jpeg,image/gif,image/webp"
          disabled={mayNot !== undefined || upload.isPending}
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            if (chosen) take(chosen);
            target.value = "";
          }}
        />
        {upload.isPending && (
          <div role="status" className="mt-2 text-sm">
            {text.uploading(formatPercent(part * 100))}
            <progress aria-hidden className="block w-full" value={part} max={1} />
          </div>
        )}
        {upload.error && <ErrorWords error={upload.error} />}
      </div>
      <TextField
        label={text.search}
        type="search"
        className="max-w-sm"
        value={search}
        maxLength={254}
        onChange={({ target }) => {
          setSearch(target.value);
          setAfter(undefined);
        }}
      />
      <Loaded query={images} lines={6}>
        {({ images: shown, next, total }) => (
          <>
            {shown.length === 0 &&
              (after !== undefined ? (
                <EmptiedPage onFirst={() => setAfter(undefined)} />
              ) : settled === "" ? (
                <EmptyState Icon={LayoutTemplate} title={text.none}>
                  {text.noneWords}
                </EmptyState>
              ) : (
                <p className="text-muted">{text.noMatches}</p>
              ))}
            <ul
              aria-label={text.images}
              className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4"
            >
              {shown.map((image) => (
                <li key={image.id}>
                  <Picture image={image} onChoose={() => onChoose(image)} />
                </li>
              ))}
            </ul>
            <Pager after={after} next={next} total={total} onGo={setAfter} />
          </>
        )}
      </Loaded>
    </div>
  );
}

const Picture = ({ image, onChoose }: { image: Image; onChoose: () => void }) => (
  <button
    type="button"
    onClick={onChoose}
    className="flex w-full flex-col overflow-hidden rounded-lg border border-line bg-surface text-left hover:border-accent"
  >
    <img
      src={shownAt(image)}
      alt=""
      loading="lazy"
      className="aspect-[4/3] w-full bg-sunken object-contain"
    />
    <span className="w-full truncate px-2 pt-1 text-sm font-medium">{image.name}</span>
    <span className="px-2 pb-1 text-sm text-muted">
      {image.width} × {image.height}
    </span>
  </button>
);
