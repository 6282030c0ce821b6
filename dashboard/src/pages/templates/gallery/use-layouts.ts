import { useProject } from "../../../api/projects.ts";
import { defineText } from "../../../text/define-text.ts";
import { languageChoice } from "../../../text/language.ts";
import { brandedHtml } from "../blocks/branded-html.ts";
import { layoutMail, LAYOUTS } from "../layouts/layouts.ts";
import { en } from "../layouts/text.en.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import type { Choice } from "./gallery.tsx";
import { useGalleryText } from "./use-gallery-text.ts";

const useSampleWords = defineText(en, () => import("../layouts/text.de.ts"));

/** Small pictures, by the end of their names. `npm run screenshots` takes them. */
const PICTURES = Object.entries(
  import.meta.glob<string>("../layouts/pictures/*.webp", {
    eager: true,
    query: "?url",
    import: "default",
  }),
);
export const pictureOf = (name: string): string | undefined =>
  PICTURES.find(([path]) => path.endsWith(`/${name}.webp`))?.[1];

/** The layouts, each as a mail of this project in the user's language. */
export function useLayouts(): Choice[] {
  const words = useSampleWords();
  const text = useGalleryText();
  const { starter } = useTemplatesText();
  const language = languageChoice.use();
  const project = useProject();
  const sender = {
    name: project.from_name || project.name,
    origin: location.origin,
    address: starter.footer,
  };
  return LAYOUTS.map((layout) => ({
    key: layout,
    name: text.names[layout],
    detail: text.details[layout],
    picture: pictureOf(`${layout}-${language}`),
    make: async () => ({
      subject: words[layout].subject,
      preheader: words[layout].preheader,
      html_body: await brandedHtml(layoutMail(layout, words, sender), project.id),
      text_body: "",
    }),
  }));
}
