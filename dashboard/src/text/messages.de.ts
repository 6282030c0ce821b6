import type { LISTS } from "../../../src/messages/lists.ts";
import { GERMAN_FAULTS } from "./faults.de.ts";
import { addGerman } from "./messages.ts";
import { GERMAN_AUDIENCE } from "./refusals/audience.de.ts";

const GERMAN_LISTS: Record<keyof typeof LISTS, string> = {
  and_more: "{names} und {count} weitere",
};

// What any page can show; the German texts of all pages bring this file along.
addGerman({
  ...GERMAN_FAULTS,
  ...GERMAN_LISTS,
  ...GERMAN_AUDIENCE,
});
