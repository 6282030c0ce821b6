import { useSharedText } from "../text/shared/use-shared-text.ts";
import { LINK } from "./button.tsx";

/** A link to the documentation of keys, access tokens and sessions, in another tab. */
export function CredentialsLink() {
  const text = useSharedText();
  return (
    <a href="/docs/credentials" target="_blank" rel="noreferrer" className={`text-sm ${LINK}`}>
      {text.whichCredential}
    </a>
  );
}
