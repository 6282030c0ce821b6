import type { Utm } from "../../lib/utm.ts";

const OWN_UTM = /[?&]utm_/i;

/**
 * Adds campaign parameters to a web URL unless it has some of its own. Changes nothing else in the
 * URL; its fragment stays at the end.
 */
export function addUtm(url: string, utm: Utm): string {
  const { source, medium, campaign } = utm;
  const added = Object.entries({ source, medium, campaign }).flatMap(([name, value]) =>
    value === undefined ? [] : [`utm_${name}=${encodeURIComponent(value)}`],
  );
  const at = url.indexOf("#");
  const [page, fragment] = at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at)];
  if (added.length === 0 || OWN_UTM.test(page)) return url;
  const separator = page.includes("?") ? (/[?&]$/.test(page) ? "" : "&") : "?";
  return `${page}${separator}${added.join("&")}${fragment}`;
}
