import { refusal } from "../../errors.ts";
import type { RenderedMail } from "./render-template.ts";

/** Throws empty_mail for a mail or template with neither HTML nor text. */
export function requireBody({ html, text }: Pick<RenderedMail, "html" | "text">): void {
  if (html.trim() === "" && text.trim() === "") throw refusal("empty_mail", {});
}
