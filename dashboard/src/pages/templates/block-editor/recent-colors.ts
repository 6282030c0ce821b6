const MOST = 8;

const keyOf = (projectId: string) => `postrider.colors.${projectId}`;

/** Returns the colors that were last chosen in this browser for a project, the newest first. */
export function recentColors(projectId: string): string[] {
  const stored = localStorage.getItem(keyOf(projectId)) ?? "";
  return stored.match(/#[0-9a-f]{6}/g) ?? [];
}

/** Puts a color first among the recent ones of a project. */
export function rememberColor(projectId: string, color: string): void {
  const colors = [color, ...recentColors(projectId).filter((one) => one !== color)];
  localStorage.setItem(keyOf(projectId), colors.slice(0, MOST).join(" "));
}
