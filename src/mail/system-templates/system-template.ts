/** A variable of a system template; `items[].x` is the field `x` of each element of `items`. */
export interface TemplateVariable {
  name: string;
  description: string;
  /** True if the mail makes little sense without the variable; it still renders. */
  required: boolean;
}

/**
 * A template that every project has: full Handlebars, compiled with escaping for `htmlBody` and
 * without for `subject` and `textBody`. It renders with any data. Source: API reference §10.4.
 */
export interface SystemTemplate {
  name: string;
  subject: string;
  htmlBody: string;
  textBody: string;
  /** Exactly the variables that the three parts use. */
  variables: readonly TemplateVariable[];
}
