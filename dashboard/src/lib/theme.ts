import { useSyncExternalStore } from "react";
import { storedChoice } from "./stored-choice.ts";

/** Color theme: the system's, or the user's choice. */
export const themeChoice = storedChoice("postrider.theme", ["system", "light", "dark"], applyTheme);

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
systemIsDark.addEventListener("change", () => applyTheme());

/** Applies the selected theme. */
export function applyTheme(): void {
  const choice = themeChoice.read();
  const isDark = choice === "dark" || (choice === "system" && systemIsDark.matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}

function onSystemChange(listener: () => void) {
  systemIsDark.addEventListener("change", listener);
  return () => systemIsDark.removeEventListener("change", listener);
}

/** Returns the theme that the page shows: by the user's choice, or as the system switches. */
export function useShownTheme(): string | undefined {
  themeChoice.use();
  return useSyncExternalStore(onSystemChange, () => document.documentElement.dataset["theme"]);
}
