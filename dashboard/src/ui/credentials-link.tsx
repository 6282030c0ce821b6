import { useSharedText } from "../text/shared/use-shared-text.ts";

/** A link to the documentation of keys, access tokens and sessions, in another tab. */
export function CredentialsLink() {
  const text = useSharedText();
  return (
    <a
      href="/docs/credentials"
      target="_blank"
      rel="noreferrer"
      className="text-sm text-accent underline underline-offset-2"
    >
      {text.whichCredential}
    </a>
  );
}
