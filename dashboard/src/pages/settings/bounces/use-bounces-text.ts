import { defineText } from "../../../text/define-text.ts";
import { en } from "./text.en.ts";

export const useBouncesText = defineText(en, () => import("./text.de.ts"));
