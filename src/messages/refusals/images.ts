import { entry } from "./entry.ts";

/** Refusals about the image library. */
export const IMAGES = {
  images_not_bound: entry(
    503,
    "this deployment has no storage for images: enable R2 in the Cloudflare account, then run `npm run deploy` again",
    "Enable R2 in the Cloudflare account, then run `npm run deploy` again.",
  ),
  image_is_svg: entry(
    400,
    "SVG images are not accepted, because they can hold scripts and email clients do not show them",
    "Convert the image to PNG.",
  ),
  not_an_image: entry(
    400,
    "the body is not a PNG, JPEG, GIF or WebP image",
    "Send the bytes of the image as the body, not in a form or as JSON.",
  ),
  image_damaged: entry(
    400,
    "the image is damaged or incomplete",
    "Open and save the image in another program, and upload it again.",
  ),
  image_size_not_allowed: entry(
    400,
    "the image has {width} × {height} pixels: each side must have 1 to {max}",
    "Resize the image; 1,200 pixels are enough for the width of an email.",
  ),
  image_library_full: entry(
    409,
    "the project stores as many images as it may: {images} or {size}, including deleted ones whose bytes remain",
    "Upload smaller images, or link to images on another server.",
  ),
  image_being_removed: entry(
    503,
    "the bytes of this image are being removed after its deletion: try again later",
    "Repeat the request after the seconds of Retry-After.",
  ),
} as const;
