/** A changed rectangle of the picture, as a WebP file, and how long it stays. */
export interface WebpFrame {
  x: number;
  y: number;
  width: number;
  height: number;
  /** A still WebP file of this size. */
  file: Buffer;
  milliseconds: number;
}

const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const ANIMATION_FLAG = 0b10;
const DO_NOT_BLEND = 0b10;

/**
 * Returns a WebP file that plays `frames` in a loop (RFC 9649 §2.7). Each frame replaces its
 * rectangle and leaves the rest as it was; `x` and `y` must be even.
 */
export function animatedWebp(width: number, height: number, frames: WebpFrame[]): Buffer {
  const canvas = Buffer.alloc(10);
  canvas[0] = ANIMATION_FLAG;
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  const loop = Buffer.alloc(6); // a transparent background, and 0 for endless
  const chunks = [chunk("VP8X", canvas), chunk("ANIM", loop), ...frames.map(frameChunk)];
  const content = Buffer.concat([Buffer.from("WEBP"), ...chunks]);
  return Buffer.concat([Buffer.from("RIFF"), size(content), content]);
}

function frameChunk({ x, y, width, height, file, milliseconds }: WebpFrame): Buffer {
  const place = Buffer.alloc(16);
  for (const [index, value] of [x / 2, y / 2, width - 1, height - 1, milliseconds].entries())
    place.writeUIntLE(value, index * 3, 3);
  place[15] = DO_NOT_BLEND;
  return chunk("ANMF", Buffer.concat([place, pictureOf(file)]));
}

/** The chunk of a still WebP file that holds its picture; a frame may have no color profile. */
function pictureOf(file: Buffer): Buffer {
  for (let start = RIFF_HEADER_BYTES; start < file.length;) {
    const end = start + CHUNK_HEADER_BYTES + file.readUInt32LE(start + 4);
    if (file.toString("latin1", start, start + 3) === "VP8" && file[start + 3] !== 0x58 /* X */)
      return file.subarray(start, end + (end % 2));
    start = end + (end % 2);
  }
  throw new Error("the WebP file has no picture");
}

function chunk(name: string, content: Buffer): Buffer {
  const padding = Buffer.alloc(content.length % 2);
  return Buffer.concat([Buffer.from(name), size(content), content, padding]);
}

function size({ length }: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(length);
  return bytes;
}
