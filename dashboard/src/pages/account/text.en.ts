export const en = {
  title: "Account",
  appearance: "Appearance",
  theme: "Colours",
  themeNames: { system: "as the system", light: "light", dark: "dark" },
  language: "Language",
};
