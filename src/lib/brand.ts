import { contrastOf, inkOn, READABLE } from "./colors.ts";
import type { Font } from "./mail-fonts.ts";

export interface SocialLink {
  label: string;
  url: string;
}

/** The look of a project, of which any part may be unset. Colors are `#rrggbb`. */
export interface Brand {
  logoUrl?: string;
  logoAlt?: string;
  /** Width of the logo in pixels. */
  logoWidth?: number;
  /** Color of buttons, and of links where it is readable. */
  accent?: string;
  /** Color of text on the accent. */
  accentText?: string;
  /** Color behind the content of a mail or page. */
  background?: string;
  headingFont?: Font;
  textFont?: Font;
  postalAddress?: string;
  social?: SocialLink[];
}

/** Width of a logo without one, in pixels. */
export const LOGO_WIDTH = 160;

/** Returns the color of text on an accent: the given one if it is readable, or black or white. */
export const textOn = (accent: string, given: string | undefined): string =>
  given !== undefined && contrastOf(given, accent) >= READABLE ? given : inkOn(accent);

/** Returns true for a brand of which no part is set. */
export const isUnset = (brand: Brand): boolean => Object.keys(brand).length === 0;
