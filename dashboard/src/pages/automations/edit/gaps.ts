import { allSteps } from "../../../../../src/lib/automation-steps.ts";
import type { Edited } from "./edited.ts";

/** Returns the paths of what is still empty, without which the service stores no draft. */
export function gapsOf({ name, trigger, steps, goal }: Edited): string[] {
  const empty = (path: string, values: object, names: readonly string[]) =>
    Object.entries(values)
      .filter(([key, value]) => names.includes(key) && value === "")
      .map(([key]) => `${path}${key}`);
  return [
    ...(name.trim() === "" ? ["name"] : []),
    ...empty("trigger.", trigger, ["event", "topic_id", "tag", "segment_id", "field"]),
    ...allSteps({ steps }).flatMap(({ step, path }) =>
      step.type === "wait" && "event" in step ? empty(`${path}.event.`, step.event, ["name"]) : [],
    ),
    ...(goal ? empty("goal.", goal, ["event"]) : []),
  ];
}
