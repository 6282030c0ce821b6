import type { ClipboardEvent, DragEvent } from "react";

/** Returns the first image among dropped or pasted files. */
const imageIn = ({ files }: DataTransfer): File | undefined =>
  [...files].find(({ type }) => type.startsWith("image/"));

/** Returns handlers that take images that are dropped or pasted somewhere inside of an element. */
export const takingImages = (onFile: (file: File, at?: { x: number; y: number }) => void) => ({
  onDragOver: (event: DragEvent) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  },
  onDropCapture: (event: DragEvent) => {
    const file = imageIn(event.dataTransfer);
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    onFile(file, { x: event.clientX, y: event.clientY });
  },
  onPasteCapture: (event: ClipboardEvent) => {
    const file = imageIn(event.clipboardData);
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    onFile(file);
  },
});
