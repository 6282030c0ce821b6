/** Headers that prevent all caching, including by HTTP/1.0 caches (RFC 9111 §5.2, §5.3, §5.4). */
export const NO_STORE = {
  "Cache-Control": "private, no-store, no-cache, must-revalidate, max-age=0",
  Pragma: "no-cache",
  Expires: "0",
};
