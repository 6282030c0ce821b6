/** The fonts that mail programs have, as CSS. The first two stand for those of the system. */
export const FONTS = {
  sans: "-apple-system,BlinkMacSystemFont,'Segoe UI',Helvetica,Arial,sans-serif",
  serif: "Georgia,'Times New Roman',serif",
  arial: "Arial,Helvetica,sans-serif",
  verdana: "Verdana,Geneva,sans-serif",
  tahoma: "Tahoma,Geneva,sans-serif",
  trebuchet: "'Trebuchet MS',Helvetica,sans-serif",
  times: "'Times New Roman',Times,serif",
  courier: "'Courier New',Courier,monospace",
} as const;
export type Font = keyof typeof FONTS;
export const FONT_NAMES = Object.keys(FONTS) as [Font, ...Font[]];

/** Returns the CSS of a stored font; undefined if there is none. */
export const fontOf = (name: Font | undefined): string | undefined =>
  name !== undefined && Object.hasOwn(FONTS, name) ? FONTS[name] : undefined;
