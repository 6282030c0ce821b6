/**
 * A variable that a system template reads; `items[].x` is the field `x` of each entry of `items`.
 */
export interface TemplateVariable {
  name: string;
  description: string;
  /** True when the mail makes little sense without the variable; it renders all the same. */
  required: boolean;
}

/**
 * A template that every project has from the start: full Handlebars, compiled with escaping for
 * `htmlBody` and without for `subject` and `textBody`. It renders with any data.
 * Source: API reference §10.4.
 */
export interface SystemTemplate {
  name: string;
  subject: string;
  htmlBody: string;
  textBody: string;
  /** Exactly the variables that the three parts read. */
  variables: readonly TemplateVariable[];
}
