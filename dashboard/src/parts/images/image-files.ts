import type { ClipboardEvent, DragEvent } from "react";

/** Returns the first image among dropped or pasted files. */
const imageIn = ({ files }: DataTransfer): File | undefined =>
  [...files].find(({ type }) => type.startsWith("image/"));

/** Returns true if files are dragged, not something of the page. */
const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/**
 * Returns handlers that take images that are dropped or pasted somewhere inside of an element. Other
 * files that are dropped there do not replace the page. What Word or a spreadsheet copies is a text
 * with a picture of it, and stays a text.
 */
export const takingImages = (onFile: (file: File, at?: { x: number; y: number }) => void) => ({
  onDragOver: (event: DragEvent) => {
    if (hasFiles(event)) event.preventDefault();
  },
  onDrop: (event: DragEvent) => {
    if (hasFiles(event)) event.preventDefault();
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
    if (!file || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    event.stopPropagation();
    onFile(file);
  },
});
