import { useState } from "react";
import { useProject } from "../../api/projects.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { useServerText } from "./use-server-text.ts";

const REGIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;

/** Region and fallback server, as entered. */
export interface Extras {
  region: (typeof REGIONS)[number] | "";
  host: string;
  port: string;
  user: string;
  password: string;
}

type Server = Pick<ReturnType<typeof useProject>, "location_hint" | "fallback">;

export const extrasOf = ({ location_hint, fallback }: Server): Extras => ({
  region: REGIONS.find((one) => one === location_hint) ?? "",
  host: fallback?.smtp_host ?? "",
  port: String(fallback?.smtp_port ?? "465"),
  user: fallback?.smtp_user ?? "",
  password: "",
});

/** Returns the settings that differ from the stored ones; omitted ones stay unchanged. */
export function changedExtras(server: Server, typed: Extras) {
  const before = extrasOf(server);
  const { region, host, port, user, password } = typed;
  const isOther = (["host", "port", "user", "password"] as const).some(
    (name) => typed[name] !== before[name],
  );
  const fallback =
    host === ""
      ? { smtp_host: "" }
      : {
          smtp_host: host,
          smtp_port: Number(port),
          smtp_user: user,
          ...(password !== "" && { smtp_password: password }),
        };
  return {
    ...(region !== "" && region !== before.region && { location_hint: region }),
    ...(isOther && (host !== "" || before.host !== "") && { fallback }),
  };
}

interface ServerExtrasProps {
  typed: Extras;
  onChange: (typed: Extras) => void;
  /** Problems by field path. */
  problems: Record<string, string>;
}

/** A fallback server, and the region from which single mails are sent. */
export function ServerExtras({ typed, onChange, problems }: ServerExtrasProps) {
  const text = useServerText();
  const [isOpen, setOpen] = useState(false);
  const fieldOf = (name: "host" | "port" | "user" | "password") => ({
    value: typed[name],
    error: problems[`fallback.smtp_${name}`],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...typed, [name]: target.value }),
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-sm font-medium">{text.extras}</summary>
      {isOpen && (
        <div className="mt-3 flex flex-col gap-4">
          <p className="text-sm text-muted">{text.fallbackWords}</p>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <TextField label={text.fallbackHost} {...fieldOf("host")} />
            <TextField label={text.fallbackPort} inputMode="numeric" {...fieldOf("port")} />
            <TextField label={text.fallbackUser} autoComplete="off" {...fieldOf("user")} />
            <TextField
              label={text.fallbackPassword}
              hint={text.passwordKept}
              type="password"
              autoComplete="off"
              {...fieldOf("password")}
            />
          </div>
          <SelectField
            label={text.region}
            hint={text.regionHint}
            value={typed.region}
            onChange={({ target }) =>
              onChange({ ...typed, region: REGIONS.find((one) => one === target.value) ?? "" })
            }
          >
            <option value="">{text.regionAuto}</option>
            {REGIONS.map((one) => (
              <option key={one} value={one}>
                {text.regions[one]}
              </option>
            ))}
          </SelectField>
        </div>
      )}
    </details>
  );
}
