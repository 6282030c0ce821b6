/** Returns the entries under "Breaking" of the newest version. */
export function breakingPartOf(changelog: string): string {
  const [, newest = ""] = changelog.split(/^## /m);
  const part = newest.split(/^### /m).find((one) => one.startsWith("Breaking\n"));
  return part ?? "";
}
