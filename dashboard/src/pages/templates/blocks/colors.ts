import { luminanceOf } from "../../../../../src/lib/colors.ts";

export { inkOn } from "../../../../../src/lib/colors.ts";

/** Returns a link color for a dark background, lightened if necessary. */
export function onDark(color: string): string {
  let light = color;
  while (luminanceOf(light) < 0.3) {
    const lighter = [1, 3, 5]
      .map((at) => Number.parseInt(light.slice(at, at + 2), 16) / 255)
      .map((channel) => channel + (1 - channel) * 0.2);
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
