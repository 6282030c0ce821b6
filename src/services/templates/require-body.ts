import { badRequest } from "../../errors.ts";
import type { RenderedMail } from "./render-template.ts";

/** Throws bad_request for a mail or template that has neither HTML nor text. */
export function requireBody({ html, text }: Pick<RenderedMail, "html" | "text">): void {
  if (html.trim() === "" && text.trim() === "")
    throw badRequest("the mail is empty: it has neither HTML nor text");
}
