import { defineText } from "../define-text.ts";
import { en } from "./text.en.ts";

export const useSharedText = defineText(en, () => import("./text.de.ts"));
