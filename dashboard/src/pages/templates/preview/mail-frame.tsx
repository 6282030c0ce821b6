import { PostedFrame } from "../../../parts/posted-frame.tsx";
import type { SampleFields } from "./sample.ts";

/** Fields of the preview form (API reference §10.6). */
interface MailFields extends SampleFields {
  html_body: string;
}

interface MailFrameProps {
  projectId: string;
  fields: MailFields;
  /** Accessible title of the frame. */
  title: string;
  isDark?: boolean;
  /** Width in pixels at which the mail is laid out; scaled down if there is less space. */
  width?: number;
  /** Called with the id of a clicked block of HTML that the block editor rendered with marks. */
  onBlock?: ((id: string, shown: string) => void) | undefined;
  className?: string;
}

const DARK = /\(\s*prefers-color-scheme\s*:\s*dark\s*\)/gi;
const LIGHT = /\(\s*prefers-color-scheme\s*:\s*light\s*\)/gi;

/** Returns true if a mail has its own colors for dark mode. */
export const hasDarkColors = (html: string): boolean => html.search(DARK) >= 0;

const BLOCK = "tr[data-block]";
const BLOCK_STYLE = `<style>${BLOCK}{cursor:pointer}${BLOCK}:hover:not(:has(${BLOCK}:hover)){outline:2px solid #6366f1}</style>`;

/** Returns the HTML for the frame: with inert links and the selected color scheme. */
function shownHtml(html: string, isDark: boolean, hasClicks: boolean): string {
  const [yes, no] = ["(min-width:0)", "(max-width:0)"];
  const colored = html.replaceAll(DARK, isDark ? yes : no).replaceAll(LIGHT, isDark ? no : yes);
  // without permission for new windows, the frame then ignores clicks
  const first = `<base target="_blank">${hasClicks ? BLOCK_STYLE : ""}`;
  return colored.replace(/<head\b[^>]*>/i, (head) => `${head}${first}`);
}

/** Shows a rendered mail in a sandbox. */
export function MailFrame(props: MailFrameProps) {
  const { projectId, fields, title, isDark = false, width, onBlock, className } = props;
  const { html_body: html, subscriber_id: person, data } = fields;
  const shown = shownHtml(html, isDark, onBlock !== undefined);
  return (
    <PostedFrame
      path={`/projects/${projectId}/templates/preview`}
      title={title}
      fields={{
        html_body: shown,
        ...(person === undefined ? {} : { subscriber_id: person }),
        ...(data === undefined ? {} : { data: JSON.stringify(data) }),
      }}
      width={width}
      isTurned={isDark && !hasDarkColors(html)}
      className={className}
      onClick={
        onBlock &&
        ((target, posted) => {
          const row = Element.prototype.closest.call(target, BLOCK);
          const id = row?.getAttribute("data-block");
          if (id && posted["html_body"] === shown) onBlock(id, html);
        })
      }
    />
  );
}
