import { luminanceOf, mixOf } from "../../../../../src/lib/colors.ts";

export { inkOn } from "../../../../../src/lib/colors.ts";

const WHITE = "#ffffff";

/** Returns a background in the hue of a color, on which dark text stays readable. */
export const tintOf = (color: string): string => mixOf(color, WHITE, 0.93);

/** Returns a link color for a dark background, lightened if necessary. */
export function onDark(color: string): string {
  let light = color;
  while (luminanceOf(light) < 0.3) light = mixOf(light, WHITE, 0.2);
  return light;
}
