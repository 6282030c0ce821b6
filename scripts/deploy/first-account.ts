/** What is needed to create the first account of a deployment. */
export interface FirstAccount {
  baseUrl: string;
  /** `undefined` if only the operator knows it. */
  setupToken: string | undefined;
  copyFile: string;
}

/**
 * Formats the instructions for creating the first account. The token is valid until an account
 * exists.
 */
export function formatFirstAccount({ baseUrl, setupToken, copyFile }: FirstAccount): string {
  const account = {
    email: "you@example.com",
    name: "You",
    password: "at least 8 characters",
    setup_token: setupToken ?? "the SETUP_TOKEN of this service",
  };
  const link = setupToken ? [`  ${baseUrl}/setup#token=${setupToken}`, ""] : [];
  return [
    "",
    "There are no accounts yet. The first person to register becomes the owner:",
    "",
    ...link,
    `  curl ${baseUrl}/api/v1/auth/register -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify(account)}' -c cookies.txt`,
    "",
    "Or, without the API:",
    "  npm run user -- create --email you@example.com --name You --remote",
    ...(setupToken ? ["", `The token is also in ${copyFile}.`] : []),
    "docs/deployment.md continues from here to the first email.",
  ].join("\n");
}
