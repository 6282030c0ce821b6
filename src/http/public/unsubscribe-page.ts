/*
 * The unsubscribe pages. The link does not contain the address of its mail, and the subscriber's
 * address may have changed, so they show it only masked. Hono's `html` escapes every inserted
 * value.
 */
import { html } from "hono/html";
import type { PageSender } from "./page-brand.ts";
import { page, type Page } from "./page-shell.ts";

/** The form field with the undo token. */
export const UNDO_FIELD = "undo";

/** The field that a mail client posts, and these pages' buttons too (RFC 8058 §3.1). */
const ONE_CLICK = html`<input type="hidden" name="List-Unsubscribe" value="One-Click" />`;

/** Masks an address so that only its owner recognizes it, such as `a…@e….com`. */
function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [domain = "", ...rest] = email.slice(at + 1).split(".");
  const [local = ""] = email;
  return `${local}…@${domain.slice(0, 1)}….${rest.at(-1) ?? ""}`;
}

/** Returns the page after an unsubscription, with an undo button if there is a token. */
export function unsubscribedPage(
  email: string,
  undoToken: string | undefined,
  sender: PageSender | undefined,
): Page {
  const words = html`<p>
    <strong>${maskEmail(email)}</strong> will get no more emails from this list.
  </p>`;
  if (undoToken === undefined) return page("You are unsubscribed", words, { sender });
  return page(
    "You are unsubscribed",
    html`${words}
      <form method="post">
        <p>Was this a mistake?</p>
        <input type="hidden" name="${UNDO_FIELD}" value="${undoToken}" />
        <button class="quiet">Subscribe me again</button>
      </form>`,
    { sender },
  );
}

export function resubscribedPage(email: string, sender: PageSender | undefined): Page {
  return page(
    "You are subscribed again",
    html`<p><strong>${maskEmail(email)}</strong> will get emails from this list as before.</p>
      <form method="post">
        ${ONE_CLICK}
        <button class="quiet">Unsubscribe</button>
      </form>`,
    { sender },
  );
}

/** Returns the page for visitors who may not be the subscriber: nothing has changed yet. */
export function confirmPage(email: string, sender: PageSender | undefined): Page {
  return page(
    "Unsubscribe from this list?",
    html`<p>
        Press the button, and <strong>${maskEmail(email)}</strong> will get no more emails from this
        list.
      </p>
      <form method="post">
        ${ONE_CLICK}
        <button>Unsubscribe</button>
      </form>`,
    { sender },
  );
}

/** Returns the page of an unknown link. It is the same for every reason, so it reveals nothing. */
export function unknownLinkPage(): Page {
  return page(
    "This link does not work",
    html`<p>It may have been cut off, or the subscription no longer exists.</p>
      <p>Please try the unsubscribe link in a newer email from the same sender.</p>`,
  );
}

/** Returns the page for internal errors, and for forms that these pages did not create. */
export function failedPage(): Page {
  return page(
    "Something went wrong",
    html`<p>Nothing has changed. Please open the link in your email again in a moment.</p>`,
  );
}
