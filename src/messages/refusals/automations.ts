import { entry } from "./entry.ts";

/** Refusals about automations. */
export const AUTOMATIONS = {
  automation_is_draft: entry(409, "the automation is a draft", "Start it first."),
  automation_is_active: entry(409, "the automation is active", "Pause or stop it first."),
  automation_is_paused: entry(409, "the automation is paused", "Start or stop it first."),
  automation_is_stopped: entry(
    409,
    "the automation is stopped, which is final",
    "Create a new one with the same definition.",
  ),
  automation_has_problems: entry(
    422,
    "the automation has problems: {codes}",
    "Correct what `details` names; each entry has the path of its part.",
  ),
  automation_not_manual: entry(
    409,
    "only an automation with the trigger manual can be entered by a call",
    "Choose the trigger `manual`.",
  ),
  too_many_automations: entry(
    409,
    "the project has {max} automations, and cannot have more",
    "Delete one that is no longer used.",
  ),
} as const;
