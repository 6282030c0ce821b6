import { useEffect, useEffectEvent, useRef } from "react";
import { classes } from "../lib/class-names.ts";

type Fields = Record<string, string>;

interface PostedFrameProps {
  /** Path below `/api/v1` that answers a posted form with a page. */
  path: string;
  fields: Fields;
  /** Accessible title of the frame. */
  title: string;
  /** Width in pixels at which the page is laid out; scaled down if there is less space. */
  width?: number | undefined;
  /** True to invert the colors. */
  isTurned?: boolean;
  /** Called with the target of a click in the page, and the fields of that page. */
  onClick?: ((target: Element, posted: Fields) => void) | undefined;
  className?: string | undefined;
}

/**
 * Reports clicks, and keeps the frame on its page. The methods are those of prototypes, because a
 * name in the page can hide those of a document and of a form.
 */
function listen({ contentDocument: page }: HTMLIFrameElement, onClick: (target: Element) => void) {
  if (!page) return;
  EventTarget.prototype.addEventListener.call(page, "click", (event) => {
    event.preventDefault();
    onClick(event.target as Element); // of a click
  });
}

const FRAME =
  "absolute inset-0 size-full border-0 bg-white data-[turned=true]:invert data-[turned=true]:hue-rotate-180";

/** Posts the fields into a frame: the response is a page with its own policy. */
function post(frame: HTMLIFrameElement, path: string, fields: Fields): void {
  const form = document.createElement("form");
  form.method = "post";
  form.target = frame.name;
  form.action = `/api/v1${path}`;
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
 * Shows a page of the API in a sandbox. It is posted as a form, because a frame with `srcdoc` or a
 * blob inherits the policy of this page, which blocks other styles. Each content gets its own
 * frame, which replaces the previous one once it is loaded: no flicker, and no extra history
 * entries.
 *
 * With `onClick` the frame keeps the origin of this page, so that the page can listen in it. The
 * content gains nothing: neither its sandbox nor its policy ever allows scripts, forms, frames or
 * windows, so nothing in it can use the origin, and its links stay inert.
 */
export function PostedFrame(props: PostedFrameProps) {
  const { path, fields, title, width, isTurned = false, onClick, className } = props;
  const place = useRef<HTMLDivElement>(null);
  const json = JSON.stringify(fields);
  const hasClicks = onClick !== undefined;
  const click = useEffectEvent((target: Element, posted: Fields) => onClick?.(target, posted));
  useEffect(() => {
    const host = place.current;
    if (!host) return;
    const posted = JSON.parse(json) as Fields; // from above
    const frame = document.createElement("iframe");
    frame.name = `posted-${++count}`;
    frame.title = title;
    frame.setAttribute("sandbox", hasClicks ? "allow-same-origin" : "");
    frame.className = FRAME;
    frame.dataset["turned"] = String(isTurned);
    frame.style.opacity = "0";
    host.append(frame);
    const fitted = width === undefined ? undefined : fit(host, frame, width);
    post(frame, path, posted);
    const show = () => {
      frame.style.opacity = "1";
      if (hasClicks) listen(frame, (target) => click(target, posted));
      while (host.firstElementChild && host.firstElementChild !== frame)
        host.firstElementChild.remove();
    };
    frame.addEventListener("load", show, { once: true });
    return () => {
      fitted?.disconnect();
      frame.removeEventListener("load", show);
      if (frame.style.opacity === "0") frame.remove();
    };
  }, [path, json, title, isTurned, width, hasClicks]);
  return <div ref={place} className={classes("relative overflow-hidden bg-sunken", className)} />;
}
