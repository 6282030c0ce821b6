import { escapeText } from "../blocks/variables.ts";

/** An image for a mail. */
export interface ChosenImage {
  src: string;
  alt: string;
  /** The size at which a mail shows it: half of its pixels, for sharp screens. */
  size?: { width: number; height: number };
}

/** Returns the HTML of an image. */
export function htmlOfImage({ src, alt, size }: ChosenImage): string {
  const sized = size ? ` width="${size.width}" height="${size.height}"` : "";
  return `<img src="${escapeText(src)}" alt="${escapeText(alt)}"${sized} style="max-width:100%;height:auto;border:0">`;
}
