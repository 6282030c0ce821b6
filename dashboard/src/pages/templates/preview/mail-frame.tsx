import { useEffect, useEffectEvent, useRef } from "react";
import { classes } from "../../../lib/class-names.ts";
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

/**
 * Reports clicks on blocks, and keeps the frame on its page. The methods are those of prototypes,
 * because a name in the mail can hide those of a document and of a form.
 */
function listen({ contentDocument: mail }: HTMLIFrameElement, onBlock: (id: string) => void) {
  if (!mail) return;
  EventTarget.prototype.addEventListener.call(mail, "click", (event) => {
    event.preventDefault();
    const row = Element.prototype.closest.call(event.target, BLOCK);
    const id = row?.getAttribute("data-block");
    if (id) onBlock(id);
  });
}

const FRAME =
  "absolute inset-0 size-full border-0 bg-white data-[turned=true]:invert data-[turned=true]:hue-rotate-180";

/** Posts the fields into a frame: the response is a page with its own policy. */
function post(frame: HTMLIFrameElement, projectId: string, fields: Record<string, string>): void {
  const form = document.createElement("form");
  form.method = "post";
  form.target = frame.name;
  form.action = `/api/v1/projects/${projectId}/templates/preview`;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  form.hidden = true;
  document.body.append(form);
  form.submit();
  form.remove();
}

/** Keeps a frame at a width, scaled to the space of its host. */
export function scaleToFit(
  host: HTMLElement,
  frame: HTMLIFrameElement,
  width: number,
): ResizeObserver {
  frame.style.width = `${width}px`;
  frame.style.transformOrigin = "0 0";
  const observer = new ResizeObserver(() => {
    const scale = host.clientWidth / width;
    frame.style.transform = `scale(${scale})`;
    frame.style.height = `${host.clientHeight / scale}px`;
  });
  observer.observe(host);
  return observer;
}

/** Keeps a frame at a width, scaled down if its host has less space. */
function fit(host: HTMLElement, frame: HTMLIFrameElement, width: number): ResizeObserver {
  host.style.maxWidth = `${width}px`;
  return scaleToFit(host, frame, width);
}

let count = 0;

/**
 * Shows a rendered mail in a sandbox. It is posted as a form, because a frame with `srcdoc` or a
 * blob inherits the policy of this page, which blocks the styles of mails. Each content gets its
 * own frame, which replaces the previous one once it is loaded: no flicker, and no extra history
 * entries.
 *
 * With `onBlock` the frame keeps the origin of this page, so that the page can listen in it. The
 * mail gains nothing: neither its sandbox nor its policy ever allows scripts, forms, frames or
 * windows, so nothing in it can use the origin, and its links stay inert.
 */
export function MailFrame(props: MailFrameProps) {
  const { projectId, fields, title, isDark = false, width, onBlock, className } = props;
  const place = useRef<HTMLDivElement>(null);
  const { html_body: html, subscriber_id: person, data } = fields;
  const json = data && JSON.stringify(data);
  const isTurned = isDark && !hasDarkColors(html);
  const hasClicks = onBlock !== undefined;
  const openBlock = useEffectEvent((id: string, shown: string) => onBlock?.(id, shown));
  useEffect(() => {
    const host = place.current;
    if (!host) return;
    const frame = document.createElement("iframe");
    frame.name = `mail-${++count}`;
    frame.title = title;
    frame.setAttribute("sandbox", hasClicks ? "allow-same-origin" : "");
    frame.className = FRAME;
    frame.dataset["turned"] = String(isTurned);
    frame.style.opacity = "0";
    host.append(frame);
    const fitted = width === undefined ? undefined : fit(host, frame, width);
    const shown = shownHtml(html, isDark, hasClicks);
    post(frame, projectId, {
      html_body: shown,
      ...(person === undefined ? {} : { subscriber_id: person }),
      ...(json === undefined ? {} : { data: json }),
    });
    const show = () => {
      frame.style.opacity = "1";
      if (hasClicks) listen(frame, (id) => openBlock(id, html));
      while (host.firstElementChild && host.firstElementChild !== frame)
        host.firstElementChild.remove();
    };
    frame.addEventListener("load", show, { once: true });
    return () => {
      fitted?.disconnect();
      frame.removeEventListener("load", show);
      if (frame.style.opacity === "0") frame.remove();
    };
  }, [projectId, html, person, json, title, isDark, isTurned, width, hasClicks]);
  return <div ref={place} className={classes("relative overflow-hidden bg-sunken", className)} />;
}
