const PREFETCH_HEADERS = ["Sec-Purpose", "Purpose", "X-Moz"];

/**
 * Returns true if a request is not a visit: HEAD, or a declared prefetch, such as `Sec-Purpose:
 * prefetch;prerender` (W3C Resource Hints; decision D22).
 */
export function isPrefetch({ method, headers }: Request): boolean {
  if (method === "HEAD") return true;
  return PREFETCH_HEADERS.some((name) => /\bprefetch\b/i.test(headers.get(name) ?? ""));
}
