import { useDeferredValue, useState } from "react";
import { isColor } from "../../../../../src/lib/colors.ts";
import { brandStyle, PAGE_STYLE } from "../../../../../src/lib/page-style.ts";
import type { Api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { Segments } from "../../../ui/segments.tsx";
import { brandInCode, inBrand } from "../../templates/blocks/brand-draft.ts";
import { newMail } from "../../templates/blocks/new-mail.ts";
import { renderMail } from "../../templates/blocks/render-mail.ts";
import { starterMail } from "../../templates/blocks/starters.ts";
import { escapeText, safeImageUrl } from "../../templates/blocks/variables.ts";
import { MailFrame } from "../../templates/preview/mail-frame.tsx";
import { useTemplatesText } from "../../templates/use-templates-text.ts";
import { useBrandText } from "./use-brand-text.ts";

/** A mail and a public page with a brand as it is typed. */
export function BrandPreview({ brand: typed }: { brand: Api.Brand }) {
  const text = useBrandText();
  const { starter } = useTemplatesText();
  const { id: projectId, name } = useProject();
  const [scheme, setScheme] = useState<"light" | "dark">("light");
  const brand = useDeferredValue(finished(typed));
  const mail = renderMail(newMail(inBrand(starterMail(starter), brand)));
  const frame = { projectId, isDark: scheme === "dark" };
  return (
    <div className="flex flex-col gap-4 lg:sticky lg:top-4 lg:self-start">
      <div className="self-start">
        <Segments
          label={text.scheme}
          choices={[
            ["light", text.light],
            ["dark", text.dark],
          ]}
          chosen={scheme}
          onChoose={setScheme}
        />
      </div>
      <h2 className="text-sm font-medium">{text.mail}</h2>
      <MailFrame
        {...frame}
        className="h-96 rounded-lg border border-line"
        title={text.mail}
        fields={{ html_body: mail }}
        width={600}
      />
      <h2 className="text-sm font-medium">{text.page}</h2>
      <MailFrame
        {...frame}
        className="h-96 rounded-lg border border-line"
        title={text.page}
        fields={{ html_body: pageOf(brand, name, text) }}
        width={600}
      />
    </div>
  );
}

/** Returns a brand without a color that is still being typed. */
function finished(brand: Api.Brand): Api.Brand {
  const color = (text: string) => (isColor(text) ? text : "");
  const { accent, accent_text, background } = brand;
  return {
    ...brand,
    accent: color(accent),
    accent_text: color(accent_text),
    background: color(background),
  };
}

/**
 * Returns a public page as the service shows it (src/http/public/page-shell.ts). Its link keeps the
 * preview from adding one.
 */
function pageOf(brand: Api.Brand, name: string, text: Record<"title" | "words" | "quiet", string>) {
  const src = brand.logo_url === "" ? undefined : safeImageUrl(brand.logo_url);
  const logo =
    src === undefined
      ? ""
      : `<img class="logo" src="${escapeText(src)}" alt="${escapeText(brand.logo_alt)}" width="${brand.logo_width}">`;
  const foot = [name, brand.postal_address].filter((part) => part !== "").map(escapeText);
  return `<!doctype html><html><head><meta charset="utf-8"><style>${PAGE_STYLE}${brandStyle(brandInCode(brand))}</style></head><body><main>${logo}<h1>${escapeText(text.title)}</h1><p>${escapeText(text.words)}</p><form><button type="button">${escapeText(text.title)}</button></form><form><a href="{{unsubscribe_url}}"><button type="button" class="quiet">${escapeText(text.quiet)}</button></a></form></main><footer class="foot">${foot.join("<br>")}</footer></body></html>`;
}
