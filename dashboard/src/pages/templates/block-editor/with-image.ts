import type { ImageBlock } from "../blocks/model.ts";
import type { ChosenImage } from "../editor/image-html.ts";

/** Width of a mail in pixels, of which blocks take a percentage. */
const MAIL_WIDTH = 600;
const LEAST_PERCENT = 10;

/** Returns the block with another image, as wide as that is shown. */
export function withImage(block: ImageBlock, { src, alt, size }: ChosenImage): ImageBlock {
  const percent = size ? Math.round((100 * size.width) / MAIL_WIDTH) : block.width;
  return { ...block, src, alt, width: Math.min(100, Math.max(LEAST_PERCENT, percent)) };
}
