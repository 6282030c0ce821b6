import type { Brand } from "../../../../../src/lib/brand.ts";
import type { Api } from "../../../api/client.ts";
import { FONT_NAMES, FIRST_LOOK, type Block, type Look } from "./model.ts";
import type { Draft } from "./new-mail.ts";

/** Width of the content of a mail in pixels, which a logo's width is a part of. */
const CONTENT = 552;

const fontNamed = (name: string) => FONT_NAMES.find((one) => one === name);

/** Returns the look of a brand; what the brand does not set stays as in `before`. */
export const lookOfBrand = (brand: Api.Brand, before: Look = FIRST_LOOK): Look => ({
  ...before,
  accent: brand.accent || before.accent,
  background: brand.background || before.background,
  font: fontNamed(brand.text_font) ?? before.font,
  headingFont: fontNamed(brand.heading_font) ?? before.headingFont,
});

/** Returns a new mail in the look of a brand, with its logo above and its links and address below. */
export function inBrand({ look, header, blocks, footer }: Draft, brand: Api.Brand): Draft {
  const { logo_url: src, logo_alt: alt, logo_width: width, postal_address: address } = brand;
  const align = "left";
  const share = Math.max(5, Math.round((width / CONTENT) * 100));
  const logo: Block = { type: "image", id: "", align, src, alt, url: "", width: share };
  const social: Block = { type: "social", id: "", align: "center", links: brand.social };
  const withAddress = footer.map((block) =>
    block.type === "footer" && address !== "" ? { ...block, text: address } : block,
  );
  return {
    look: lookOfBrand(brand, look),
    header: src === "" ? header : [logo],
    blocks,
    footer: brand.social.length === 0 ? withAddress : [social, ...withAddress],
  };
}

/** Returns a brand with the names and the missing parts of the service. */
export const brandInCode = (brand: Api.Brand): Brand => {
  const parts = {
    logoUrl: brand.logo_url,
    logoAlt: brand.logo_alt,
    logoWidth: brand.logo_width,
    accent: brand.accent,
    accentText: brand.accent_text,
    background: brand.background,
    headingFont: fontNamed(brand.heading_font) ?? "",
    textFont: fontNamed(brand.text_font) ?? "",
    postalAddress: brand.postal_address,
    social: brand.social,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ""));
};
