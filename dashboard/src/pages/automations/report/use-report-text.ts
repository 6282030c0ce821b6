import { defineText } from "../../../text/define-text.ts";
import { en } from "./text.en.ts";

export const useReportText = defineText(en, () => import("./text.de.ts"));
