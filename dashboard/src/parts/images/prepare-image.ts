/** Width in pixels of an image that fills a mail, 600 wide, on a screen of twice the density. */
const MAX_WIDTH = 1_200;

const JPEG_QUALITY = 0.85;

/**
 * Reduces an image to at most 1,200 pixels in width. A photograph becomes JPEG, without what its
 * camera wrote into it, such as its place; an image with transparency becomes PNG. Animations, and
 * files that the browser cannot read, stay as they are: the service says what is wrong with them.
 */
export async function prepareImage(file: File): Promise<Blob> {
  if (file.type === "image/gif" || file.type === "image/svg+xml") return file;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  const { width, height } = picture;
  const isPng = file.type === "image/png";
  if (isPng && width <= MAX_WIDTH) return file;
  const scale = Math.min(1, MAX_WIDTH / width);
  const canvas = new OffscreenCanvas(
    Math.round(width * scale),
    Math.max(1, Math.round(height * scale)),
  );
  const pen = canvas.getContext("2d");
  if (!pen) return file;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const staysPng = isPng || (file.type !== "image/jpeg" && hasTransparency(pen));
  return canvas.convertToBlob({
    type: staysPng ? "image/png" : "image/jpeg",
    quality: JPEG_QUALITY,
  });
}

function hasTransparency(pen: OffscreenCanvasRenderingContext2D): boolean {
  const { data } = pen.getImageData(0, 0, pen.canvas.width, pen.canvas.height);
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}
