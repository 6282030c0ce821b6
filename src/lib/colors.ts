/* Colors are written `#rrggbb`; contrast is that of WCAG 2.2. */

/** Contrast that readable text needs. */
export const READABLE = 4.5;

/** Returns true for a color as these functions take it. */
export const isColor = (text: string): boolean => /^#[\da-f]{6}$/i.test(text);

/** Returns a stored color if it is one. */
export const colorOf = (text: string | undefined): string | undefined =>
  text !== undefined && isColor(text) ? text : undefined;

const channelsOf = (color: string) =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Returns the relative luminance of a color, from 0 to 1. */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color)
    .map((channel) => channel / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colors, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The luminance at which white and black have equal contrast. */
const MIDDLE = 0.179;

/** Returns black or white, whichever is more readable on a color. */
export const inkOn = (color: string): string =>
  luminanceOf(color) > MIDDLE ? "#000000" : "#ffffff";

/** Returns a color that is readable on another one: itself, or darkened or lightened as needed. */
export function readableOn(paper: string, color: string): string {
  const end = inkOn(paper);
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mixOf(color, end, share);
    if (contrastOf(mixed, paper) >= READABLE) return mixed;
  }
  return end;
}

/** Returns a color on the way to another one: at 0 the color, at 1 the other. */
export function mixOf(color: string, end: string, share: number): string {
  const ends = channelsOf(end);
  const mixed = channelsOf(color).map((from, at) =>
    Math.round(from + ((ends[at] ?? from) - from) * share),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
