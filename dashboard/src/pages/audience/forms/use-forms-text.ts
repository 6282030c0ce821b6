import { defineText } from "../../../text/define-text.ts";
import { en } from "./text.en.ts";

export const useFormsText = defineText(en, () => import("./text.de.ts"));
