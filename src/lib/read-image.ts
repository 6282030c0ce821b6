/** The formats that email clients show; SVG can hold scripts. */
export const IMAGE_TYPES = ["png", "jpeg", "gif", "webp"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** What the bytes of an image say about themselves; sizes are in pixels. */
export interface ImageFacts {
  type: ImageType;
  width: number;
  height: number;
}

export type ImageFault = "svg" | "unknown" | "damaged";

/**
 * Reads the format and the size of an image, and whether it is whole: every chunk, block and
 * segment must be inside the bytes. Does not decode the pixels.
 */
export function readImage(bytes: Uint8Array): ImageFacts | ImageFault {
  const type = IMAGE_TYPES.find((one) => BEGINNINGS[one](textAt(bytes, 16)));
  if (type) {
    const size = READERS[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return size ? { type, ...size } : "damaged";
  }
  return /<svg[\s>]/i.test(textAt(bytes, SVG_BYTES)) ? "svg" : "unknown";
}

type Size = Pick<ImageFacts, "width" | "height">;

/** Recognizes a format by its signature, in the first bytes as Latin-1. */
const BEGINNINGS: Record<ImageType, (text: string) => boolean> = {
  png: (text) => text.startsWith("\x89PNG\r\n\x1a\n"),
  jpeg: (text) => text.startsWith("\xff\xd8\xff"),
  gif: (text) => /^GIF8[79]a/.test(text),
  webp: (text) => /^RIFF[^]{4}WEBP/.test(text),
};

/** The bytes in which a document may say that it is SVG, behind a prolog and comments. */
const SVG_BYTES = 4_096;

/** The readers return undefined for a damaged file. */
const READERS: Record<ImageType, (view: DataView) => Size | undefined> = {
  png: readPng,
  jpeg: readJpeg,
  gif: readGif,
  webp: readWebp,
};

/** Names of PNG chunks, as numbers: a file may have a million chunks. */
const [IHDR, IDAT, IEND] = [0x49484452, 0x49444154, 0x49454e44];

/** Reads PNG (W3C PNG §5): IHDR first, then chunks that lead to IEND, at least one of them IDAT. */
function readPng(view: DataView): Size | undefined {
  let at = 8;
  let size: Size | undefined;
  let hasPixels = false;
  while (at + 12 <= view.byteLength) {
    const length = view.getUint32(at);
    const name = view.getUint32(at + 4);
    const next = at + 12 + length;
    if (next > view.byteLength || (size === undefined) !== (name === IHDR)) return undefined;
    if (name === IHDR) {
      if (length !== 13) return undefined;
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    }
    if (name === IDAT) hasPixels = true;
    if (name === IEND) return hasPixels ? size : undefined;
    at = next;
  }
  return undefined;
}

/** Reads JPEG (ITU-T T.81 Annex B): segments to the first scan, and an end of image behind it. */
function readJpeg(view: DataView): Size | undefined {
  let at = 2;
  let size: Size | undefined;
  while (at + 4 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    const next = at + 2 + view.getUint16(at + 2);
    if (next < at + 4 || next > view.byteLength) return undefined;
    if (isFrame(marker)) {
      if (next < at + 10) return undefined;
      size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    if (marker === 0xda) return endsJpeg(view, next) ? size : undefined;
    at = next;
  }
  return undefined;
}

/** C0 to CF are frames, but for the tables C4 and CC and the reserved C8. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Cameras append data behind the end of the image, so it may be anywhere after the scan. */
function endsJpeg(view: DataView, from: number): boolean {
  for (let at = view.byteLength - 2; at >= from; at -= 1)
    if (view.getUint16(at) === 0xffd9) return true;
  return false;
}

/** Reads GIF (GIF89a §17 to §27): blocks that lead to the trailer, at least one of them an image. */
function readGif(view: DataView): Size | undefined {
  if (view.byteLength < 13) return undefined;
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  let at: number | undefined = 13 + colorTable(view.getUint8(10));
  let hasPixels = false;
  while (at !== undefined && at < view.byteLength) {
    const block = view.getUint8(at);
    if (block === 0x3b) return hasPixels ? size : undefined;
    if (block === 0x21) at = endOfBlocks(view, at + 2);
    else if (block === 0x2c && at + 10 < view.byteLength) {
      at = endOfBlocks(view, at + 11 + colorTable(view.getUint8(at + 9)));
      hasPixels = true;
    } else return undefined;
  }
  return undefined;
}

/** Returns the bytes of the color table that packed fields announce. */
const colorTable = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);

/** Returns the position behind the empty block that ends a series of data blocks. */
function endOfBlocks(view: DataView, from: number): number | undefined {
  let at = from;
  while (at < view.byteLength) {
    const length = view.getUint8(at);
    if (length === 0) return at + 1;
    at += 1 + length;
  }
  return undefined;
}

/** Reads WebP (RFC 9649 §2): the size of its first chunk, if all bytes of the RIFF are there. */
function readWebp(view: DataView): Size | undefined {
  if (view.byteLength < 30 || view.getUint32(4, true) + 8 > view.byteLength) return undefined;
  const kind = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + 12, 4));
  if (kind === "VP8X") return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (kind === "VP8L" && view.getUint8(20) === 0x2f) {
    const packed = view.getUint32(21, true);
    return { width: 1 + (packed & 0x3fff), height: 1 + ((packed >>> 14) & 0x3fff) };
  }
  if (kind !== "VP8 " || uint24(view, 23) !== 0x2a019d) return undefined;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

const uint24 = (view: DataView, at: number) =>
  view.getUint16(at, true) + (view.getUint8(at + 2) << 16);

const textAt = (bytes: Uint8Array, length: number) =>
  String.fromCharCode(...bytes.subarray(0, length));
