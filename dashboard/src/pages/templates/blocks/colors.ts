const channelsOf = (color: string) =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);

/** Returns the relative luminance of a color `#rrggbb` (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The luminance at which white and black have equal contrast. */
const MIDDLE = 0.179;

/** Returns black or white, whichever is more readable on a color. */
export const inkOn = (color: string): string =>
  luminanceOf(color) > MIDDLE ? "#000000" : "#ffffff";

/** Returns a link color for a dark background, lightened if necessary. */
export function onDark(color: string): string {
  let light = color;
  while (luminanceOf(light) < 0.3) {
    const lighter = channelsOf(light).map((channel) => channel + (1 - channel) * 0.2);
    light = `#${lighter
      .map((channel) =>
        Math.ceil(channel * 255)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("")}`;
  }
  return light;
}
