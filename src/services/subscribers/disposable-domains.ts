import list from "disposable-email-domains-js/dist/dict/disposable_email_blocklist.json" with { type: "json" };

/** The list, built on the first import in an isolate and never changed. */
let disposable: ReadonlySet<string> | undefined;

/**
 * Returns true if a domain or one of its parents provides disposable addresses. `domain` is in
 * lower-case A-labels.
 */
export function isDisposableDomain(domain: string): boolean {
  disposable ??= new Set<string>(list);
  const labels = domain.split(".");
  return labels.some((_label, at) => disposable?.has(labels.slice(at).join(".")));
}
