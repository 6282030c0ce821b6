import { storedChoice } from "./stored-choice.ts";

/** The colours: those of the system, or the ones that the reader chose. */
export const themeChoice = storedChoice("postrider.theme", ["system", "light", "dark"], applyTheme);

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
systemIsDark.addEventListener("change", () => applyTheme());

/** Shows the page in the chosen colours. */
export function applyTheme(): void {
  const choice = themeChoice.read();
  const isDark = choice === "dark" || (choice === "system" && systemIsDark.matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}
