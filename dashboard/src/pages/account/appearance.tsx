import { themeChoice } from "../../lib/theme.ts";
import { languageChoice } from "../../text/language.ts";
import { Card } from "../../ui/card.tsx";
import { SelectField } from "../../ui/field.tsx";
import { useAccountText } from "./use-account-text.ts";

const THEMES = ["system", "light", "dark"] as const;
const LANGUAGES = { en: "English", de: "Deutsch" } as const;

/** Preferences stored in this browser. */
export function Appearance() {
  const text = useAccountText();
  const theme = themeChoice.use();
  const language = languageChoice.use();
  return (
    <Card title={text.appearance}>
      <div className="grid max-w-md gap-4 sm:grid-cols-2">
        <SelectField
          label={text.theme}
          value={theme}
          onChange={(event) =>
            themeChoice.write(THEMES.find((name) => name === event.target.value) ?? "system")
          }
        >
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {text.themeNames[name]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={text.language}
          value={language}
          onChange={(event) => languageChoice.write(event.target.value === "de" ? "de" : "en")}
        >
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
    </Card>
  );
}
