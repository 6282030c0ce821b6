/** Filler that keeps text after the preview text out of the preview. */
const FILLER = "&#847;&zwnj;&nbsp;".repeat(40);

/**
 * Returns the hidden element at the start of a mail whose text, given as HTML, mail lists show
 * after the subject.
 */
export const hiddenPreview = (text: string): string =>
  `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">${text}${FILLER}</div>`;
