import type { Deps } from "../../../deps.ts";
import { NIL_UUID } from "../../../lib/ids.ts";
import type { TrackingSwitches } from "../../../lib/tracking-switches.ts";
import { placeholdersIn } from "../../../lib/placeholders.ts";
import { findElements, markPlaces } from "../../../mail/html/find-elements.ts";
import { faultOfLink } from "../../../mail/html/judge-link.ts";
import { contentProblem, sampleLeft } from "../../../messages/templates.ts";
import { decorate, type Bodies, type Decoration } from "../decorate.ts";
import { placesIn, problem, type Place, type Problem } from "./problems.ts";
import { renderPart } from "./render-part.ts";

/** The size above which Gmail cuts off an HTML part (102 KB). */
const CLIPPED_BYTES = 102 * 1_024;

/** What is said about each kind of placeholder. */
const REMAINS = {
  text: (text: string) => sampleLeft("sample_text", { text: text.replace(/\.$/, "") }),
  link: (url: string) => sampleLeft("sample_link", { url }),
  picture: () => sampleLeft("sample_picture"),
};

/** A link of a mail, with its place in the source if the template itself contains the link. */
export interface PreviewLink {
  url: string;
  isTracked: boolean;
  place: Place | undefined;
}

/** Finds the links in the HTML of a template, and problems with its links, images and texts. */
export function inspectHtml(
  source: string,
  rendered: string,
  data: Record<string, unknown>,
  untracked: readonly string[],
  tracking: Required<TrackingSwitches>,
): { links: PreviewLink[]; problems: Problem[] } {
  // A template that fails only because of its marks (too long with them) has no places.
  const { links, imagesWithoutAlt } = findElements(
    renderPart("html_body", markPlaces(source), data).text ?? rendered,
  );
  const placeOf = placesIn(source);
  const faults = links.flatMap(({ url, at }) => {
    const reason = faultOfLink(url);
    if (reason === undefined) return [];
    return [problem(contentProblem("link", { reason }), "html_body", placeOf(at))];
  });
  const images = imagesWithoutAlt.map((at) =>
    problem(contentProblem("image_without_alt"), "html_body", placeOf(at)),
  );
  const placeholders = placeholdersIn(rendered).map(({ kind, text, html }) => {
    const at = source.indexOf(html);
    const said = contentProblem("placeholder", { reason: REMAINS[kind](text) });
    return problem(said, "html_body", at < 0 ? undefined : placeOf(at));
  });
  return {
    links: links.map(({ url, isTrackable, at }) => ({
      url,
      isTracked: tracking.clicks && isTrackable && !untracked.includes(url),
      place: placeOf(at),
    })),
    problems: [...faults, ...images, ...placeholders],
  };
}

/** Returns the size of the HTML as sent, with tracked links and the pixel. */
export async function sizeOfHtml(
  deps: Deps,
  bodies: Bodies,
  settings: Pick<Decoration, "unsubscribe" | "tracking" | "utm">,
): Promise<{ bytes: number; problems: Problem[] }> {
  const mail = { projectId: NIL_UUID, logId: deps.newId() };
  const { html } = await decorate(deps, bodies, { ...mail, ...settings });
  const bytes = new TextEncoder().encode(html).length;
  if (bytes <= CLIPPED_BYTES) return { bytes, problems: [] };
  const said = contentProblem("too_large", { bytes, max: CLIPPED_BYTES });
  return { bytes, problems: [problem(said, "html_body")] };
}
