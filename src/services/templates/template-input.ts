/** The fields of a template that callers write. */
export interface TemplateInput {
  name: string;
  subject: string;
  htmlBody: string;
  textBody: string;
  /**
   * True if strangers may cause this mail by joining the waitlist; while no template is public,
   * they may cause all of them.
   */
  isPublic: boolean;
}
