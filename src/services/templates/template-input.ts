import type { TrackingSwitches } from "../../lib/tracking-switches.ts";

/** The user-defined fields of a template. */
export interface TemplateInput {
  name: string;
  subject: string;
  htmlBody: string;
  textBody: string;
  /**
   * True if unauthenticated callers may trigger this mail by joining the waitlist; while no
   * template is public, they may trigger all of them.
   */
  isPublic: boolean;
  /** Text that email clients show next to the subject, with variables; "" for the start of the mail. */
  preheader: string;
  tracking: TrackingSwitches;
}
