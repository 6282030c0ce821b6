import list from "disposable-email-domains-js/dist/dict/disposable_email_blocklist.json" with { type: "json" };

/** Built on the first import of an isolate; the list never changes while it lives. */
let disposable: ReadonlySet<string> | undefined;

/** Whether a domain, or one it lies below, hands out throw-away addresses; `domain` in lower-case A-labels. */
export function isDisposableDomain(domain: string): boolean {
  disposable ??= new Set<string>(list);
  const labels = domain.split(".");
  return labels.some((_label, at) => disposable?.has(labels.slice(at).join(".")));
}
