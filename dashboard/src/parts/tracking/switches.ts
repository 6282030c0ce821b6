import type { Template } from "../../../../client/src/index.ts";
import type { en } from "./text.en.ts";

/** What replaces the tracking of the project; `{}` for nothing. */
export type Switches = Template["tracking"];

export const SWITCHES = ["opens", "clicks"] as const;

/** Returns the switches in a fixed order, so that equal ones have equal JSON. */
export const ordered = (switches: Switches): Switches =>
  Object.fromEntries(
    SWITCHES.filter((name) => switches[name] !== undefined).map((name) => [name, switches[name]]),
  );

export const stateOf = (text: typeof en, isOn: boolean | undefined): string =>
  isOn === undefined ? text.asProject : isOn ? text.on : text.off;

export const wordsOf = (text: typeof en, switches: Switches): string =>
  SWITCHES.map((name) => `${text.counted[name]}: ${stateOf(text, switches[name])}`).join(", ");
