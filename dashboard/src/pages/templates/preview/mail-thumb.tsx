import { useEffect, useRef, useState } from "react";
import { classes } from "../../../lib/class-names.ts";
import { scaleToFit } from "../../../parts/posted-frame.tsx";

/** The width of a mail with its margins. */
const WIDTH = 640;
/** How far below the window a picture begins to load, in pixels. */
const AHEAD = "200px";

interface MailThumbProps {
  /** Path below `/api/v1` of a mail as a page. */
  path: string;
  /** Names its content, if it changes; the browser then keeps the page. */
  version?: string | undefined;
  title: string;
  /** Has the size. */
  className?: string;
}

/** A small picture of a mail, which nobody can reach. It loads when it scrolls into view. */
export function MailThumb({ path, version, title, className }: MailThumbProps) {
  const place = useRef<HTMLSpanElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [isNear, setNear] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (!place.current || isNear) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  useEffect(() => {
    if (!place.current || !frame.current) return;
    const fitted = scaleToFit(place.current, frame.current, WIDTH);
    return () => fitted.disconnect();
  }, [isNear]);
  const query = version === undefined ? "" : `?version=${encodeURIComponent(version)}`;
  return (
    <span
      ref={place}
      inert
      className={classes(
        "relative block overflow-hidden bg-sunken",
        !isLoaded && "animate-pulse",
        className,
      )}
    >
      {isNear && (
        <iframe
          ref={frame}
          src={`/api/v1${path}/page${query}`}
          title={title}
          sandbox=""
          tabIndex={-1}
          onLoad={() => setLoaded(true)}
          className={classes(
            "absolute top-0 left-0 origin-top-left border-0 bg-white dark:bg-surface",
            !isLoaded && "opacity-0",
          )}
        />
      )}
    </span>
  );
}
