import type { IMAGES } from "../../../../src/messages/refusals/images.ts";

/** German texts of errors about images (src/messages/refusals). */
export const GERMAN_IMAGES: Record<keyof typeof IMAGES, string> = {
  images_not_bound:
    "Diese Installation hat keinen Speicher für Bilder. Aktiviere R2 in deinem Cloudflare-Konto und führe `npm run deploy` noch einmal aus",
  image_is_svg:
    "SVG-Bilder werden nicht angenommen: Sie können Skripte enthalten, und Mailprogramme zeigen sie nicht. Wandle das Bild in PNG um",
  not_an_image: "Das ist kein Bild im Format PNG, JPEG, GIF oder WebP",
  image_damaged: "Das Bild ist beschädigt oder unvollständig",
  image_size_not_allowed:
    "Das Bild hat {width} × {height} Pixel: jede Seite muss 1 bis {max} haben",
  image_library_full:
    "Das Projekt speichert so viele Bilder, wie es darf: {images} oder {size}, einschließlich gelöschter, deren Daten noch da sind",
  image_being_removed:
    "Die Daten dieses Bildes werden nach seiner Löschung gerade entfernt. Versuche es später noch einmal",
};
